@echo off
rem What Stash on Windows runs in place of sh, which it looks for in PATH and then in this folder:
rem   sh.cmd "<this folder>/dist/sluice.sh" [hook]
rem There is no shell to save Node's start here, so everything is handed over to Node: stdin, stdout and the exit
rem status are Node's. No labels and no blocks: cmd trips over both when line ends or paths are unusual.
setlocal EnableExtensions DisableDelayedExpansion

set "node=%SLUICE_NODE%"
if not defined node for %%n in (node.exe) do set "node=%%~$PATH:n"
if not defined node set "node=%ProgramFiles%\nodejs\node.exe"
if not exist "%node%" echo {"error":"Sluice needs Node.js 20.17 or newer, which was not found. Install it and restart Stash, or set the environment variable SLUICE_NODE to the path of node.exe."}
if not exist "%node%" exit /b 1

"%node%" "%~dp0dist\sluice.js" %2
