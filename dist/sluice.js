"use strict";

// src/main.ts
var import_node_fs7 = require("fs");
var import_node_path6 = require("path");

// src/persist/paths.ts
var import_node_fs = require("fs");
var import_node_path = require("path");
var privateFolder = 448;
var privateFile = 384;
function statePaths(root) {
  const inbox = (0, import_node_path.join)(root, "inbox");
  return {
    root,
    inbox,
    rejected: (0, import_node_path.join)(inbox, "rejected"),
    answers: (0, import_node_path.join)(root, "answers"),
    alive: (0, import_node_path.join)(root, "alive"),
    lease: (0, import_node_path.join)(root, "lease.json"),
    leaseLock: (0, import_node_path.join)(root, "lease.lock"),
    connection: (0, import_node_path.join)(root, "connection.json"),
    status: (0, import_node_path.join)(root, "status.json"),
    metrics: (0, import_node_path.join)(root, "metrics.prom"),
    outages: (0, import_node_path.join)(root, "outages.json"),
    servers: (0, import_node_path.join)(root, "servers.json"),
    notice: (0, import_node_path.join)(root, "notice"),
    log: (0, import_node_path.join)(root, "worker.log"),
    targets: (0, import_node_path.join)(root, "targets")
  };
}
var spareStateDir = (pluginDir) => (0, import_node_path.join)(pluginDir, "data");
function usable(dir) {
  try {
    (0, import_node_fs.accessSync)((0, import_node_path.dirname)(dir));
    (0, import_node_fs.mkdirSync)((0, import_node_path.join)(dir, "inbox"), { recursive: true, mode: privateFolder });
    (0, import_node_fs.accessSync)((0, import_node_path.join)(dir, "inbox"), import_node_fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
function chooseStateDir(place, env) {
  const preferred = env.SLUICE_STATE_DIR ? (0, import_node_path.resolve)(env.SLUICE_STATE_DIR) : (0, import_node_path.join)(place.dir, "sluice-data");
  if (usable(preferred) || env.SLUICE_STATE_DIR) return preferred;
  const spare = spareStateDir(place.pluginDir);
  return usable(spare) ? spare : preferred;
}

// src/persist/pointer.ts
var import_node_fs2 = require("fs");
var import_node_path2 = require("path");
var pointerName = "state-dir";
function leavePointer(distDir, stateDir) {
  const text = `${stateDir}
${process.execPath}
`;
  if (process.platform === "win32" || text.split("\n").length !== 3) return;
  const path = (0, import_node_path2.join)(distDir, pointerName);
  try {
    if ((0, import_node_fs2.readFileSync)(path, "utf8") === text) return;
  } catch {
  }
  try {
    const mine = `${path}.${process.pid}`;
    (0, import_node_fs2.writeFileSync)(mine, text, { mode: privateFile });
    (0, import_node_fs2.renameSync)(mine, path);
  } catch {
  }
}
function forgetPointer(distDir) {
  try {
    (0, import_node_fs2.unlinkSync)((0, import_node_path2.join)(distDir, pointerName));
  } catch {
  }
}

// src/queue/inbox.ts
var import_node_fs3 = require("fs");
var import_node_path3 = require("path");

// src/shared/errors.ts
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
function codeOf(error) {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
var plainWords = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "it is on a read-only file system",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EIO: "the disk reports an error"
};
function describeFileError(error) {
  return plainWords[codeOf(error)] || messageOf(error);
}

// src/queue/inbox.ts
var finished = ".json";
var unfinished = ".part";
function leaveInInbox(inbox, text) {
  (0, import_node_fs3.mkdirSync)(inbox, { recursive: true, mode: privateFolder });
  const { fd, name } = createNew(inbox);
  const part = (0, import_node_path3.join)(inbox, name + unfinished);
  try {
    try {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += (0, import_node_fs3.writeSync)(fd, bytes, done);
      (0, import_node_fs3.fsyncSync)(fd);
    } finally {
      (0, import_node_fs3.closeSync)(fd);
    }
    (0, import_node_fs3.renameSync)(part, (0, import_node_path3.join)(inbox, name + finished));
  } catch (error) {
    (0, import_node_fs3.unlinkSync)(part);
    throw error;
  }
  return (0, import_node_path3.join)(inbox, name + finished);
}
function createNew(inbox) {
  for (; ; ) {
    const name = `${Date.now()}-${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
    try {
      return { name, fd: (0, import_node_fs3.openSync)((0, import_node_path3.join)(inbox, name + unfinished), "wx", privateFile) };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

// src/stash/connection.ts
var import_node_path4 = require("path");
function parseServerConnection(value, own) {
  const at = reader(value, "server_connection");
  const cookie = at.optional("SessionCookie");
  return {
    scheme: schemeOf(at.text("Scheme"), "server_connection.Scheme"),
    host: at.text("Host"),
    port: at.port("Port"),
    cookie: cookie === null ? null : cookieOf(reader(cookie, "server_connection.SessionCookie"), "Name", "Value"),
    dir: absolute(at.filled("Dir"), own == null ? void 0 : own.dir),
    pluginDir: absolute(at.filled("PluginDir"), own == null ? void 0 : own.pluginDir)
  };
}
var absolute = (path, instead) => instead === void 0 || (0, import_node_path4.isAbsolute)(path) ? (0, import_node_path4.resolve)(path) : instead;
function reader(value, name) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${name} is missing`);
  const object = { ...value };
  const required = (key) => {
    if (object[key] === void 0 || object[key] === null) throw new Error(`${name}.${key} is missing`);
    return object[key];
  };
  const text = (key) => {
    const found = required(key);
    if (typeof found !== "string") throw new Error(`${name}.${key} is not text`);
    return found;
  };
  return {
    optional: (key) => {
      var _a;
      return (_a = object[key]) != null ? _a : null;
    },
    text,
    filled: (key) => {
      const found = text(key);
      if (found === "") throw new Error(`${name}.${key} is empty`);
      return found;
    },
    port: (key) => {
      const found = required(key);
      if (typeof found === "number" && Number.isInteger(found) && found > 0 && found < 65536) return found;
      throw new Error(`${name}.${key} is not a port number`);
    }
  };
}
function schemeOf(text, name) {
  if (text === "http" || text === "https") return text;
  throw new Error(`${name} is neither http nor https`);
}
function cookieOf(at, nameKey, valueKey) {
  const name = at.filled(nameKey);
  const value = at.text(valueKey);
  return value === "" ? null : { name, value };
}

// src/queue/inbox-message.ts
var BadInput = class extends Error {
};
var ownMutationId = "sluice";
var known = {
  Scene: ["Create", "Update", "Destroy"],
  Performer: ["Update", "Destroy"],
  Studio: ["Update", "Destroy"],
  Tag: ["Update", "Destroy", "Merge"],
  Group: ["Update", "Destroy"]
};
var hookTypes = Object.entries(known).flatMap(
  ([object, actions]) => actions.map((action) => `${object}.${action}.Post`)
);
function parseInboxMessage(text, own) {
  const input = parseStashInput(text);
  const connection = connectionOf(input, own);
  const { sluice } = input;
  if (isObject(sluice)) return { type: "command", connection, command: parseCommand(sluice) };
  return { type: "event", connection, event: parseEvent(input) };
}
function parseStashInput(text) {
  if (text.trim() === "") throw new BadInput("the input is empty: Stash sent nothing");
  let input;
  try {
    input = JSON.parse(text);
  } catch {
    throw new BadInput("the input is not JSON");
  }
  if (!isObject(input)) throw new BadInput("the input is not a JSON object");
  return input;
}
function connectionOf(input, own) {
  try {
    return parseServerConnection(input.server_connection, own);
  } catch (error) {
    throw new BadInput(error instanceof Error ? error.message : String(error));
  }
}
function parseEvent(input) {
  const args = isObject(input.args) ? input.args : {};
  const context = args.hookContext;
  if (!isObject(context)) throw new BadInput("the input has no hookContext: it does not come from a hook");
  const { type } = context;
  if (typeof type !== "string" || hookTypes.indexOf(type) < 0) {
    throw new BadInput(`the hook type ${JSON.stringify(type)} is unknown`);
  }
  const [object, action] = type.split(".");
  const id = idOf(context.id);
  if (id === null)
    throw new BadInput(`the hook's id is ${JSON.stringify(context.id)}, which is not a number`);
  const named = namedIds(context.input);
  const fields = context.inputFields;
  return {
    object,
    action,
    ids: named[0] === id ? Array.from(new Set(named)) : [id],
    bulk: named.length !== 1,
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === "string") : null,
    merged: action === "Merge" ? mergedIds(context.input) : [],
    ours: isObject(context.input) && context.input.clientMutationId === ownMutationId
  };
}
function namedIds(input) {
  let named = [];
  if (Array.isArray(input)) named = input.map((one) => isObject(one) ? one.id : one);
  else if (isObject(input) && Array.isArray(input.ids)) named = input.ids;
  else if (isObject(input)) named = [input.id];
  return named.map(idOf).filter((id) => id !== null);
}
function mergedIds(input) {
  const sources = isObject(input) && Array.isArray(input.source) ? input.source : [];
  return sources.map(idOf).filter((id) => id !== null);
}
function idOf(value) {
  if (typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
function parseCommand({ command, id, args }) {
  if (typeof command !== "string" || typeof id !== "string" || !/^[\w-]{1,64}$/.test(id)) {
    throw new BadInput("the command has no name or no id");
  }
  return { name: command, id, args: isObject(args) ? args : {} };
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/queue/wake.ts
var import_node_fs5 = require("fs");
var import_node_path5 = require("path");

// src/shared/process.ts
var import_node_fs4 = require("fs");
var stateField = 0;
var startField = 19;
function statOf(pid) {
  try {
    const text = (0, import_node_fs4.readFileSync)(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
function readName(path) {
  try {
    const [pid = "", ticks = ""] = (0, import_node_fs4.readFileSync)(path, "utf8").trim().split(" ");
    return /^[1-9]\d*$/.test(pid) ? { pid: Number(pid), ticks } : null;
  } catch {
    return null;
  }
}
function isRunning({ pid, ticks }) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = statOf(pid);
  if (!stat) return true;
  if (stat[stateField] === "Z" || stat[stateField] === "X") return false;
  return ticks === "" || stat[startField] === ticks;
}

// src/queue/wake.ts
var slotMs = 2e4;
var mostTriesPerSlot = 20;
function wake(stateDir, event, start) {
  if (isTakenCareOf(stateDir, event)) return "alive";
  const claim = claimStart(stateDir);
  if (claim === null) return "starting elsewhere";
  if (isTakenCareOf(stateDir, event)) {
    removeQuietly(claim);
    return "alive";
  }
  start(claim);
  return "started";
}
function isTakenCareOf(stateDir, event) {
  const { alive } = statePaths(stateDir);
  try {
    if ((0, import_node_fs5.statSync)(alive).mtimeMs <= (0, import_node_fs5.statSync)(event).mtimeMs) return false;
  } catch {
    return !(0, import_node_fs5.existsSync)(event);
  }
  const name = readName(alive);
  return name !== null && isRunning(name);
}
function claimStart(stateDir) {
  const slot = Math.floor(Date.now() / slotMs);
  for (let n = 0; n < mostTriesPerSlot; n++) {
    const claim = (0, import_node_path5.join)(stateDir, `starting-${slot}-${n}`);
    try {
      (0, import_node_fs5.writeFileSync)(claim, `${process.pid}
`, { flag: "wx", mode: privateFile });
      return claim;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const who = readName(claim);
    if (who === null || isRunning(who)) return null;
  }
  return null;
}
function startDetached(where) {
  const { distDir, stateDir, pluginDir } = where;
  return (claim) => {
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn(process.execPath, [(0, import_node_path5.join)(distDir, "worker.js"), stateDir, pluginDir], {
      cwd: stateDir,
      detached: true,
      stdio: "ignore",
      windowsHide: true
    });
    child.on("error", () => {
    });
    child.unref();
    if (child.pid) (0, import_node_fs5.writeFileSync)(claim, `${child.pid}
`, { mode: privateFile });
  };
}
function removeQuietly(path) {
  try {
    (0, import_node_fs5.unlinkSync)(path);
  } catch {
  }
}

// src/hook/notice.ts
var import_node_fs6 = require("fs");
function unseenNotice(stateDir) {
  const { notice } = statePaths(stateDir);
  const mark = `${notice}.shown`;
  try {
    if (wasShown((0, import_node_fs6.statSync)(notice), mark)) return [];
    const lines = (0, import_node_fs6.readFileSync)(notice, "utf8").split("\n");
    markShown(notice, mark);
    return lines.filter((line) => line !== "");
  } catch {
    return [];
  }
}
function wasShown(notice, mark) {
  let shown;
  try {
    shown = (0, import_node_fs6.statSync)(mark);
  } catch {
    return false;
  }
  if (shown.size === 0) return notice.mtimeMs <= shown.mtimeMs;
  return shown.ino === notice.ino && shown.dev === notice.dev;
}
function markShown(notice, mark) {
  try {
    (0, import_node_fs6.unlinkSync)(mark);
  } catch {
  }
  try {
    (0, import_node_fs6.linkSync)(notice, mark);
  } catch {
    (0, import_node_fs6.writeFileSync)(mark, "", { mode: privateFile });
  }
}

// src/hook/hook.ts
function runHook(text, distDir, nodeProblem2) {
  let stateDir;
  let pluginDir;
  try {
    const { connection } = parseInboxMessage(text);
    pluginDir = connection.pluginDir;
    stateDir = chooseStateDir(connection, process.env);
  } catch (error) {
    return { error: `Sluice could not use this event: ${messageOf(error)}.` };
  }
  const { inbox } = statePaths(stateDir);
  let event;
  try {
    event = leaveInInbox(inbox, text);
  } catch (error) {
    return {
      error: `Sluice could not record this edit in ${inbox}: ${describeFileError(error)}. Make room or make the folder writable for Stash, then save again.`
    };
  }
  const warnings = unseenNotice(stateDir);
  if (nodeProblem2) {
    warnings.push(`Your edit is recorded, but not sent to Plex: ${nodeProblem2}`);
  } else {
    try {
      leavePointer(distDir, stateDir);
      wake(stateDir, event, startDetached({ distDir, stateDir, pluginDir }));
    } catch (error) {
      warnings.push(`Your edit is recorded, but no worker could be started: ${describeFileError(error)}.`);
    }
  }
  return { output: "queued", warnings };
}

// src/main.ts
var oldestNode = [20, 17];
function nodeProblem() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || major === oldestNode[0] && minor >= oldestNode[1]) return null;
  return `Sluice needs Node.js ${oldestNode.join(".")} or newer, and ${process.execPath} is ${process.version}. Install a newer one, or set SLUICE_NODE to it.`;
}
function main() {
  const [, , mode, stateDir, claim] = process.argv;
  const problem = nodeProblem();
  if (mode === "hook") {
    const { warnings = [], ...answer } = runHook(readStdin(), __dirname, problem);
    for (const warning of warnings) write(2, `w${warning}
`);
    finish(answer);
  } else if (problem) {
    if (mode === "start") forgetPointer(__dirname);
    finish({ error: problem });
  } else if (mode === "start" && stateDir && claim) {
    leavePointer(__dirname, stateDir);
    startDetached({ distDir: __dirname, stateDir, pluginDir: (0, import_node_path6.dirname)(__dirname) })(claim);
  } else {
    const { runTask } = require("./tasks.js");
    runTask(readStdin(), __dirname).then(finish, (error) => finish({ error: String(error) }));
  }
}
function finish(answer) {
  write(1, `${JSON.stringify(answer)}
`);
  process.exitCode = answer.error === void 0 ? 0 : 1;
}
function readStdin() {
  const chunks = [];
  const chunk = Buffer.allocUnsafe(65536);
  for (; ; ) {
    try {
      const length = (0, import_node_fs7.readSync)(0, chunk, 0, chunk.length, null);
      if (length === 0) break;
      chunks.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      const code = codeOf(error);
      if (code === "EOF") break;
      if (code !== "EAGAIN") throw error;
      pause(1);
    }
  }
  return Buffer.concat(chunks).toString("utf8");
}
function write(fd, text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += (0, import_node_fs7.writeSync)(fd, bytes, done);
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") return;
      pause(1);
    }
  }
}
function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
main();
