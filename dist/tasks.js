"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// node_modules/write-file-atomic/node_modules/signal-exit/dist/cjs/signals.js
var require_signals = __commonJS({
  "node_modules/write-file-atomic/node_modules/signal-exit/dist/cjs/signals.js"(exports2) {
    "use strict";
    Object.defineProperty(exports2, "__esModule", { value: true });
    exports2.signals = void 0;
    exports2.signals = [];
    exports2.signals.push("SIGHUP", "SIGINT", "SIGTERM");
    if (process.platform !== "win32") {
      exports2.signals.push(
        "SIGALRM",
        "SIGABRT",
        "SIGVTALRM",
        "SIGXCPU",
        "SIGXFSZ",
        "SIGUSR2",
        "SIGTRAP",
        "SIGSYS",
        "SIGQUIT",
        "SIGIOT"
        // should detect profiler and enable/disable accordingly.
        // see #21
        // 'SIGPROF'
      );
    }
    if (process.platform === "linux") {
      exports2.signals.push("SIGIO", "SIGPOLL", "SIGPWR", "SIGSTKFLT");
    }
  }
});

// node_modules/write-file-atomic/node_modules/signal-exit/dist/cjs/index.js
var require_cjs = __commonJS({
  "node_modules/write-file-atomic/node_modules/signal-exit/dist/cjs/index.js"(exports2) {
    "use strict";
    var _a;
    Object.defineProperty(exports2, "__esModule", { value: true });
    exports2.unload = exports2.load = exports2.onExit = exports2.signals = void 0;
    var signals_js_1 = require_signals();
    Object.defineProperty(exports2, "signals", { enumerable: true, get: function() {
      return signals_js_1.signals;
    } });
    var processOk = (process3) => !!process3 && typeof process3 === "object" && typeof process3.removeListener === "function" && typeof process3.emit === "function" && typeof process3.reallyExit === "function" && typeof process3.listeners === "function" && typeof process3.kill === "function" && typeof process3.pid === "number" && typeof process3.on === "function";
    var kExitEmitter = /* @__PURE__ */ Symbol.for("signal-exit emitter");
    var global = globalThis;
    var ObjectDefineProperty = Object.defineProperty.bind(Object);
    var Emitter = class {
      emitted = {
        afterExit: false,
        exit: false
      };
      listeners = {
        afterExit: [],
        exit: []
      };
      count = 0;
      id = Math.random();
      constructor() {
        if (global[kExitEmitter]) {
          return global[kExitEmitter];
        }
        ObjectDefineProperty(global, kExitEmitter, {
          value: this,
          writable: false,
          enumerable: false,
          configurable: false
        });
      }
      on(ev, fn) {
        this.listeners[ev].push(fn);
      }
      removeListener(ev, fn) {
        const list = this.listeners[ev];
        const i = list.indexOf(fn);
        if (i === -1) {
          return;
        }
        if (i === 0 && list.length === 1) {
          list.length = 0;
        } else {
          list.splice(i, 1);
        }
      }
      emit(ev, code, signal) {
        if (this.emitted[ev]) {
          return false;
        }
        this.emitted[ev] = true;
        let ret = false;
        for (const fn of this.listeners[ev]) {
          ret = fn(code, signal) === true || ret;
        }
        if (ev === "exit") {
          ret = this.emit("afterExit", code, signal) || ret;
        }
        return ret;
      }
    };
    var SignalExitBase = class {
    };
    var signalExitWrap = (handler) => {
      return {
        onExit(cb, opts) {
          return handler.onExit(cb, opts);
        },
        load() {
          return handler.load();
        },
        unload() {
          return handler.unload();
        }
      };
    };
    var SignalExitFallback = class extends SignalExitBase {
      onExit() {
        return () => {
        };
      }
      load() {
      }
      unload() {
      }
    };
    var SignalExit = class extends SignalExitBase {
      // "SIGHUP" throws an `ENOSYS` error on Windows,
      // so use a supported signal instead
      /* c8 ignore start */
      #hupSig = process2.platform === "win32" ? "SIGINT" : "SIGHUP";
      /* c8 ignore stop */
      #emitter = new Emitter();
      #process;
      #originalProcessEmit;
      #originalProcessReallyExit;
      #sigListeners = {};
      #loaded = false;
      constructor(process3) {
        super();
        this.#process = process3;
        this.#sigListeners = {};
        for (const sig of signals_js_1.signals) {
          this.#sigListeners[sig] = () => {
            const listeners = this.#process.listeners(sig);
            let { count } = this.#emitter;
            const p = process3;
            if (typeof p.__signal_exit_emitter__ === "object" && typeof p.__signal_exit_emitter__.count === "number") {
              count += p.__signal_exit_emitter__.count;
            }
            if (listeners.length === count) {
              this.unload();
              const ret = this.#emitter.emit("exit", null, sig);
              const s = sig === "SIGHUP" ? this.#hupSig : sig;
              if (!ret)
                process3.kill(process3.pid, s);
            }
          };
        }
        this.#originalProcessReallyExit = process3.reallyExit;
        this.#originalProcessEmit = process3.emit;
      }
      onExit(cb, opts) {
        if (!processOk(this.#process)) {
          return () => {
          };
        }
        if (this.#loaded === false) {
          this.load();
        }
        const ev = opts?.alwaysLast ? "afterExit" : "exit";
        this.#emitter.on(ev, cb);
        return () => {
          this.#emitter.removeListener(ev, cb);
          if (this.#emitter.listeners["exit"].length === 0 && this.#emitter.listeners["afterExit"].length === 0) {
            this.unload();
          }
        };
      }
      load() {
        if (this.#loaded) {
          return;
        }
        this.#loaded = true;
        this.#emitter.count += 1;
        for (const sig of signals_js_1.signals) {
          try {
            const fn = this.#sigListeners[sig];
            if (fn)
              this.#process.on(sig, fn);
          } catch (_) {
          }
        }
        this.#process.emit = (ev, ...a) => {
          return this.#processEmit(ev, ...a);
        };
        this.#process.reallyExit = (code) => {
          return this.#processReallyExit(code);
        };
      }
      unload() {
        if (!this.#loaded) {
          return;
        }
        this.#loaded = false;
        signals_js_1.signals.forEach((sig) => {
          const listener = this.#sigListeners[sig];
          if (!listener) {
            throw new Error("Listener not defined for signal: " + sig);
          }
          try {
            this.#process.removeListener(sig, listener);
          } catch (_) {
          }
        });
        this.#process.emit = this.#originalProcessEmit;
        this.#process.reallyExit = this.#originalProcessReallyExit;
        this.#emitter.count -= 1;
      }
      #processReallyExit(code) {
        if (!processOk(this.#process)) {
          return 0;
        }
        this.#process.exitCode = code || 0;
        this.#emitter.emit("exit", this.#process.exitCode, null);
        return this.#originalProcessReallyExit.call(this.#process, this.#process.exitCode);
      }
      #processEmit(ev, ...args) {
        const og = this.#originalProcessEmit;
        if (ev === "exit" && processOk(this.#process)) {
          if (typeof args[0] === "number") {
            this.#process.exitCode = args[0];
          }
          const ret = og.call(this.#process, ev, ...args);
          this.#emitter.emit("exit", this.#process.exitCode, null);
          return ret;
        } else {
          return og.call(this.#process, ev, ...args);
        }
      }
    };
    var process2 = globalThis.process;
    _a = signalExitWrap(processOk(process2) ? new SignalExit(process2) : new SignalExitFallback()), /**
     * Called when the process is exiting, whether via signal, explicit
     * exit, or running out of stuff to do.
     *
     * If the global process object is not suitable for instrumentation,
     * then this will be a no-op.
     *
     * Returns a function that may be used to unload signal-exit.
     */
    exports2.onExit = _a.onExit, /**
     * Load the listeners.  Likely you never need to call this, unless
     * doing a rather deep integration with signal-exit functionality.
     * Mostly exposed for the benefit of testing.
     *
     * @internal
     */
    exports2.load = _a.load, /**
     * Unload the listeners.  Likely you never need to call this, unless
     * doing a rather deep integration with signal-exit functionality.
     * Mostly exposed for the benefit of testing.
     *
     * @internal
     */
    exports2.unload = _a.unload;
  }
});

// node_modules/write-file-atomic/lib/index.js
var require_lib = __commonJS({
  "node_modules/write-file-atomic/lib/index.js"(exports2, module2) {
    "use strict";
    module2.exports = writeFile;
    module2.exports.sync = writeFileSync3;
    module2.exports._getTmpname = getTmpname;
    module2.exports._cleanupOnExit = cleanupOnExit;
    var fs = require("fs");
    var crypto = require("node:crypto");
    var { onExit } = require_cjs();
    var path = require("path");
    var { promisify } = require("util");
    var activeFiles = {};
    var threadId = (function getId() {
      try {
        const workerThreads = require("worker_threads");
        return workerThreads.threadId;
      } catch (e) {
        return 0;
      }
    })();
    var invocations = 0;
    function getTmpname(filename) {
      return filename + "." + crypto.createHash("sha1").update(__filename).update(String(process.pid)).update(String(threadId)).update(String(++invocations)).digest().readUInt32BE(0);
    }
    function cleanupOnExit(tmpfile) {
      return () => {
        try {
          fs.unlinkSync(typeof tmpfile === "function" ? tmpfile() : tmpfile);
        } catch {
        }
      };
    }
    function serializeActiveFile(absoluteName) {
      return new Promise((resolve3) => {
        if (!activeFiles[absoluteName]) {
          activeFiles[absoluteName] = [];
        }
        activeFiles[absoluteName].push(resolve3);
        if (activeFiles[absoluteName].length === 1) {
          resolve3();
        }
      });
    }
    function isChownErrOk(err) {
      if (err.code === "ENOSYS") {
        return true;
      }
      const nonroot = !process.getuid || process.getuid() !== 0;
      if (nonroot) {
        if (err.code === "EINVAL" || err.code === "EPERM") {
          return true;
        }
      }
      return false;
    }
    async function writeFileAsync(filename, data, options = {}) {
      if (typeof options === "string") {
        options = { encoding: options };
      }
      let fd;
      let tmpfile;
      const removeOnExitHandler = onExit(cleanupOnExit(() => tmpfile));
      const absoluteName = path.resolve(filename);
      try {
        await serializeActiveFile(absoluteName);
        const truename = await promisify(fs.realpath)(filename).catch(() => filename);
        tmpfile = getTmpname(truename);
        if (!options.mode || !options.chown) {
          const stats = await promisify(fs.stat)(truename).catch(() => {
          });
          if (stats) {
            if (options.mode == null) {
              options.mode = stats.mode;
            }
            if (options.chown == null && process.getuid) {
              options.chown = { uid: stats.uid, gid: stats.gid };
            }
          }
        }
        fd = await promisify(fs.open)(tmpfile, "w", options.mode);
        if (options.tmpfileCreated) {
          await options.tmpfileCreated(tmpfile);
        }
        if (ArrayBuffer.isView(data)) {
          await promisify(fs.write)(fd, data, 0, data.length, 0);
        } else if (data != null) {
          await promisify(fs.write)(fd, String(data), 0, String(options.encoding || "utf8"));
        }
        if (options.fsync !== false) {
          await promisify(fs.fsync)(fd);
        }
        await promisify(fs.close)(fd);
        fd = null;
        if (options.chown) {
          await promisify(fs.chown)(tmpfile, options.chown.uid, options.chown.gid).catch((err) => {
            if (!isChownErrOk(err)) {
              throw err;
            }
          });
        }
        if (options.mode) {
          await promisify(fs.chmod)(tmpfile, options.mode).catch((err) => {
            if (!isChownErrOk(err)) {
              throw err;
            }
          });
        }
        await promisify(fs.rename)(tmpfile, truename);
      } finally {
        if (fd) {
          await promisify(fs.close)(fd).catch(
            /* istanbul ignore next */
            () => {
            }
          );
        }
        removeOnExitHandler();
        await promisify(fs.unlink)(tmpfile).catch(() => {
        });
        activeFiles[absoluteName].shift();
        if (activeFiles[absoluteName].length > 0) {
          activeFiles[absoluteName][0]();
        } else {
          delete activeFiles[absoluteName];
        }
      }
    }
    async function writeFile(filename, data, options, callback) {
      if (options instanceof Function) {
        callback = options;
        options = {};
      }
      const promise = writeFileAsync(filename, data, options);
      if (callback) {
        try {
          const result = await promise;
          return callback(result);
        } catch (err) {
          return callback(err);
        }
      }
      return promise;
    }
    function writeFileSync3(filename, data, options) {
      if (typeof options === "string") {
        options = { encoding: options };
      } else if (!options) {
        options = {};
      }
      try {
        filename = fs.realpathSync(filename);
      } catch (ex) {
      }
      const tmpfile = getTmpname(filename);
      if (!options.mode || !options.chown) {
        try {
          const stats = fs.statSync(filename);
          options = Object.assign({}, options);
          if (!options.mode) {
            options.mode = stats.mode;
          }
          if (!options.chown && process.getuid) {
            options.chown = { uid: stats.uid, gid: stats.gid };
          }
        } catch (ex) {
        }
      }
      let fd;
      const cleanup = cleanupOnExit(tmpfile);
      const removeOnExitHandler = onExit(cleanup);
      let threw = true;
      try {
        fd = fs.openSync(tmpfile, "w", options.mode || 438);
        if (options.tmpfileCreated) {
          options.tmpfileCreated(tmpfile);
        }
        if (ArrayBuffer.isView(data)) {
          fs.writeSync(fd, data, 0, data.length, 0);
        } else if (data != null) {
          fs.writeSync(fd, String(data), 0, String(options.encoding || "utf8"));
        }
        if (options.fsync !== false) {
          fs.fsyncSync(fd);
        }
        fs.closeSync(fd);
        fd = null;
        if (options.chown) {
          try {
            fs.chownSync(tmpfile, options.chown.uid, options.chown.gid);
          } catch (err) {
            if (!isChownErrOk(err)) {
              throw err;
            }
          }
        }
        if (options.mode) {
          try {
            fs.chmodSync(tmpfile, options.mode);
          } catch (err) {
            if (!isChownErrOk(err)) {
              throw err;
            }
          }
        }
        fs.renameSync(tmpfile, filename);
        threw = false;
      } finally {
        if (fd) {
          try {
            fs.closeSync(fd);
          } catch (ex) {
          }
        }
        removeOnExitHandler();
        if (threw) {
          cleanup();
        }
      }
    }
  }
});

// src/tasks/run-task.ts
var run_task_exports = {};
__export(run_task_exports, {
  runTask: () => runTask
});
module.exports = __toCommonJS(run_task_exports);

// src/persist/paths.ts
var import_node_fs = require("node:fs");
var import_node_path = require("node:path");
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
var import_node_fs2 = require("node:fs");
var import_node_path2 = require("node:path");
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

// src/stash/connection.ts
var import_node_path3 = require("node:path");
function parseServerConnection(value, own) {
  const at = reader(value, "server_connection");
  const cookie = at.optional("SessionCookie");
  return {
    scheme: schemeOf(at.text("Scheme"), "server_connection.Scheme"),
    host: at.text("Host"),
    port: at.port("Port"),
    cookie: cookie === null ? null : cookieOf(reader(cookie, "server_connection.SessionCookie"), "Name", "Value"),
    dir: absolute(at.filled("Dir"), own?.dir),
    pluginDir: absolute(at.filled("PluginDir"), own?.pluginDir)
  };
}
var absolute = (path, instead) => instead === void 0 || (0, import_node_path3.isAbsolute)(path) ? (0, import_node_path3.resolve)(path) : instead;
function reader(value, name) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${name} is missing`);
  const object2 = { ...value };
  const required = (key) => {
    if (object2[key] === void 0 || object2[key] === null) throw new Error(`${name}.${key} is missing`);
    return object2[key];
  };
  const text = (key) => {
    const found = required(key);
    if (typeof found !== "string") throw new Error(`${name}.${key} is not text`);
    return found;
  };
  return {
    optional: (key) => object2[key] ?? null,
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
var known = {
  Scene: ["Create", "Update", "Destroy"],
  Performer: ["Update", "Destroy"],
  Studio: ["Update", "Destroy"],
  Tag: ["Update", "Destroy", "Merge"],
  Group: ["Update", "Destroy"]
};
var hookTypes = Object.entries(known).flatMap(
  ([object2, actions]) => actions.map((action) => `${object2}.${action}.Post`)
);
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
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/shared/clock.ts
var longestSleepMs = 36e5;
var systemClock = {
  now: () => Date.now(),
  sleep: (ms, signal) => new Promise((resolve3) => {
    if (signal?.aborted || ms <= 0) return resolve3();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve3();
    };
    const timer = setTimeout(done, Math.min(ms, longestSleepMs));
    signal?.addEventListener("abort", done, { once: true });
  })
};
var iso = (ms) => new Date(ms).toISOString();

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

// src/shared/secrets.ts
var known2 = /* @__PURE__ */ new Set();
var cookies = /* @__PURE__ */ new Set();
var mostCookies = 500;
var shortestSecret = 6;
function registerCookie(cookie) {
  register(cookie, cookies);
  for (const oldest of cookies) {
    if (cookies.size <= mostCookies) break;
    cookies.delete(oldest);
  }
}
function register(secret, among) {
  if (!secret || secret.length < shortestSecret) return;
  for (const form of [secret, encodeURIComponent(secret.toWellFormed())]) {
    among.delete(form);
    among.add(form);
  }
}
function redact(text) {
  let clean = text;
  const longestFirst = [...known2].sort((a, b) => b.length - a.length);
  for (const secret of [...longestFirst, ...cookies]) clean = clean.replaceAll(secret, "***");
  return clean.replace(/(:\/\/)[^/\s@]+@/g, "$1***@").replace(/(X-Plex-Token=|apikey=)[^&\s"']+/gi, "$1***");
}

// src/stash/log-protocol.ts
var import_node_fs3 = require("node:fs");
var longestLine = 8e3;
function stashLog(write = writeToStderr) {
  const say = (level, message) => {
    const lines = redact(message).split(/[\r\n]+/).map(presentable).filter(Boolean);
    if (lines.length > 0) write(lines.map((line) => `${level}${line}
`).join(""));
  };
  return {
    debug: (message) => say("d", message),
    info: (message) => say("i", message),
    warn: (message) => say("w", message),
    error: (message) => say("e", message),
    progress: (fraction) => {
      if (!Number.isNaN(fraction)) say("p", Math.min(1, Math.max(0, fraction)).toFixed(4));
    }
  };
}
function presentable(line) {
  const text = line.replace(/\t/g, " ").replace(new RegExp("\\p{Cc}", "gu"), "").trim();
  if (text.length <= longestLine) return text;
  return `${text.slice(0, longestLine).replace(/[\ud800-\udbff]$/, "")} …`;
}
var writeToStderr = (text) => writeFully(text, (bytes) => (0, import_node_fs3.writeSync)(2, bytes));
var patienceMs = 2e3;
var pauseMs = 5;
function writeFully(text, write, wait = waitInPlace) {
  let rest = Buffer.from(text);
  let waitedMs = 0;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(write(rest));
      waitedMs = 0;
    } catch (error) {
      if (codeOf(error) !== "EAGAIN" || waitedMs >= patienceMs) return;
      wait(pauseMs);
      waitedMs += pauseMs;
    }
  }
}
function waitInPlace(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

// src/tasks/ask-worker.ts
var import_node_crypto = require("node:crypto");
var import_node_fs7 = require("node:fs");
var import_node_path6 = require("node:path");

// src/queue/inbox.ts
var import_node_fs4 = require("node:fs");
var import_node_path4 = require("node:path");
var finished = ".json";
var unfinished = ".part";
function leaveInInbox(inbox, text) {
  (0, import_node_fs4.mkdirSync)(inbox, { recursive: true, mode: privateFolder });
  const { fd, name } = createNew(inbox);
  const part = (0, import_node_path4.join)(inbox, name + unfinished);
  try {
    try {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += (0, import_node_fs4.writeSync)(fd, bytes, done);
      (0, import_node_fs4.fsyncSync)(fd);
    } finally {
      (0, import_node_fs4.closeSync)(fd);
    }
    (0, import_node_fs4.renameSync)(part, (0, import_node_path4.join)(inbox, name + finished));
  } catch (error) {
    (0, import_node_fs4.unlinkSync)(part);
    throw error;
  }
  return (0, import_node_path4.join)(inbox, name + finished);
}
function inboxNames(inbox) {
  try {
    return (0, import_node_fs4.readdirSync)(inbox).filter((name) => name.endsWith(finished) || name.endsWith(unfinished));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return [];
  }
}
function createNew(inbox) {
  for (; ; ) {
    const name = `${Date.now()}-${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
    try {
      return { name, fd: (0, import_node_fs4.openSync)((0, import_node_path4.join)(inbox, name + unfinished), "wx", privateFile) };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

// src/queue/wake.ts
var import_node_fs6 = require("node:fs");
var import_node_path5 = require("node:path");

// src/shared/process.ts
var import_node_fs5 = require("node:fs");
var stateField = 0;
var startField = 19;
function statOf(pid) {
  try {
    const text = (0, import_node_fs5.readFileSync)(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
function readName(path) {
  try {
    const [pid = "", ticks = ""] = (0, import_node_fs5.readFileSync)(path, "utf8").trim().split(" ");
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
    if ((0, import_node_fs6.statSync)(alive).mtimeMs <= (0, import_node_fs6.statSync)(event).mtimeMs) return false;
  } catch {
    return !(0, import_node_fs6.existsSync)(event);
  }
  const name = readName(alive);
  return name !== null && isRunning(name);
}
function claimStart(stateDir) {
  const slot = Math.floor(Date.now() / slotMs);
  for (let n = 0; n < mostTriesPerSlot; n++) {
    const claim = (0, import_node_path5.join)(stateDir, `starting-${slot}-${n}`);
    try {
      (0, import_node_fs6.writeFileSync)(claim, `${process.pid}
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
    if (child.pid) (0, import_node_fs6.writeFileSync)(claim, `${child.pid}
`, { mode: privateFile });
  };
}
function removeQuietly(path) {
  try {
    (0, import_node_fs6.unlinkSync)(path);
  } catch {
  }
}

// src/shared/answer.ts
function parseAnswer(text) {
  const value = JSON.parse(text);
  if (typeof value !== "object" || value === null) return null;
  const { done, message, failed, progress } = value;
  if (typeof done !== "boolean" || typeof message !== "string") return null;
  return {
    done,
    message,
    ...failed === true && { failed },
    ...typeof progress === "number" && { progress }
  };
}

// src/tasks/ask-worker.ts
var lookEveryMs = 100;
var wakeEveryMs = 2e3;
var patienceMs2 = 4e4;
async function askWorker(context, command, args = {}) {
  const { paths, clock, log } = context;
  const id = (0, import_node_crypto.randomUUID)();
  const wakeAgain = leaveCommand(context, { command, id, args });
  const path = (0, import_node_path6.join)(paths.answers, `${id}.json`);
  let last = "";
  let progress;
  for (let waitedMs = 0; waitedMs < patienceMs2; waitedMs += lookEveryMs) {
    const answer = readAnswer(path);
    if (answer && (answer.message !== last || answer.progress !== progress)) {
      ({ message: last, progress } = answer);
      waitedMs = 0;
      if (progress !== void 0) log.progress(progress);
    }
    if (answer?.done) {
      (0, import_node_fs7.rmSync)(path, { force: true });
      if (answer.failed) throw new Error(answer.message);
      return answer.message;
    }
    await clock.sleep(lookEveryMs);
    if (waitedMs % wakeEveryMs === 0) wakeAgain();
  }
  if (last !== "") return `${last} The worker goes on in the background.`;
  throw new Error(
    `The background worker did not answer within ${patienceMs2 / 1e3} s. What you asked for is recorded and will be done when it runs. Its log is ${paths.log}.`
  );
}
function leaveCommand(context, sluice) {
  const { paths, pluginDir, distDir, serverConnection } = context;
  const text = JSON.stringify({ sluice, server_connection: serverConnection });
  const event = leaveInInbox(paths.inbox, text);
  const start = startDetached({ distDir, stateDir: paths.root, pluginDir });
  const wakeIt = () => void wake(paths.root, event, start);
  wakeIt();
  return wakeIt;
}
function readAnswer(path) {
  try {
    return parseAnswer((0, import_node_fs7.readFileSync)(path, "utf8"));
  } catch {
    return null;
  }
}

// src/shared/time-words.ts
var months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
var twoDigits = (value) => String(value).padStart(2, "0");
function timeOfDay(at) {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}
function dayAndTime(at, now) {
  const date = new Date(at);
  const year = date.getFullYear() === new Date(now).getFullYear() ? "" : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${months[date.getMonth()]}${year} ${timeOfDay(at)}`;
}
var timeBeside = (at, other) => new Date(at).toDateString() === new Date(other).toDateString() ? timeOfDay(at) : dayAndTime(at, other);
function duration(ms) {
  const seconds2 = Math.max(0, Math.round(ms / 1e3));
  if (seconds2 < 60) return `${seconds2} s`;
  if (seconds2 < 600) return inTwo(seconds2, 60, "min", "s");
  const minutes = Math.round(seconds2 / 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return inTwo(minutes, 60, "h", "min");
  return inTwo(Math.round(minutes / 60), 24, "days", "h");
}
function inTwo(small, perLarge, large, unit) {
  const rest = small % perLarge;
  return `${Math.floor(small / perLarge)} ${large}${rest === 0 ? "" : ` ${rest} ${unit}`}`;
}

// src/shared/words.ts
var counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

// src/tasks/status.ts
var import_node_crypto2 = require("node:crypto");
var import_node_fs8 = require("node:fs");

// src/shared/version.ts
var version = true ? "0.1.0" : "0.0.0";

// src/stash/glob.ts
var longestGlob = 1e3;
function checkGlob(glob) {
  if (glob.length > longestGlob) {
    throw new Error(`must not hold a path of more than ${longestGlob} characters`);
  }
  if (alternatives([...glob]) === null) {
    throw new Error(
      `must have a "}" for each "{", which "${glob}" has not: a path with a comma in it stands in double quotes`
    );
  }
}
function alternatives(chars) {
  const roles = /* @__PURE__ */ new Map();
  const open = [];
  for (const [i, char] of chars.entries()) {
    if (char === "{") open.push({ at: i, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(i);
    else if (char === "}") {
      const group = open.pop();
      if (!group) return null;
      if (group.commas.length === 0) continue;
      roles.set(group.at, "open").set(i, "close");
      for (const comma of group.commas) roles.set(comma, "comma");
    }
  }
  return open.length === 0 ? roles : null;
}

// src/stash/setting-values.ts
function yesNo(text) {
  const word = text.toLowerCase();
  if (["true", "yes", "on", "1"].includes(word)) return true;
  if (["false", "no", "off"].includes(word)) return false;
  throw new Error("must be true or false");
}
function names(text) {
  const found = /* @__PURE__ */ new Set();
  let rest = text;
  while (rest !== "") {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*(?:,|$)/.exec(rest);
    const plain = quoted ?? /^\s*([^",][^,]*|)(?:,|$)/.exec(rest);
    if (!plain)
      throw new Error("must be names with commas between them; a name in double quotes has to end with one");
    const name = quoted ? (quoted[1] ?? "").replaceAll('""', '"') : (plain[1] ?? "").trim();
    if (name !== "") found.add(name);
    rest = rest.slice(plain[0].length);
  }
  return [...found];
}
var oneOf = (...allowed) => (text) => {
  const found = allowed.find((word) => word.toLowerCase() === text.toLowerCase());
  if (found === void 0) throw new Error(`must be ${inWords(allowed, "or")}`);
  return found;
};
var someOf = (allowed) => (text) => {
  const given = new Map(names(text).map((name) => [name.toLowerCase(), name]));
  const chosen = allowed.filter((word) => given.delete(word.toLowerCase()));
  const [wrong] = given.values();
  if (wrong !== void 0)
    throw new Error(`must be of ${inWords(allowed, "and")}, which "${wrong}" is not`);
  return chosen;
};
function collectionSources(text) {
  const sources = { studio: false, groups: false, tags: /* @__PURE__ */ new Set() };
  for (const source of names(text)) {
    const word = source.toLowerCase();
    const tag = /^tag:\s*(.+)$/is.exec(source)?.[1];
    if (tag !== void 0) sources.tags.add(tag);
    else if (word === "studio" || word === "groups") sources[word] = true;
    else throw new Error(`must be of studio, groups and tag:NAME, which "${source}" is not`);
  }
  return { ...sources, tags: [...sources.tags] };
}
function globs(text) {
  const found = names(text);
  found.forEach(checkGlob);
  return found;
}
var oneLine = (most) => (text) => {
  if ([...text].length <= most && !new RegExp("\\p{Cc}", "u").test(text)) return text;
  throw new Error(`must be one line of at most ${most} characters`);
};
var inWords = (words, last) => `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

// src/stash/sync-settings.ts
var fieldNames = [
  "title",
  "sortTitle",
  "summary",
  "studio",
  "date",
  "rating",
  "director",
  "code",
  "contentRating",
  "performers",
  "tags",
  "collections",
  "picture"
];
var longestContentRating = 50;
var syncRows = {
  plexKeepsOwn: { label: "Keep what Plex has of its own", fallback: false, parse: yesNo, holds: true },
  plexScan: { label: "Ask Plex to scan for missing files", fallback: false, parse: yesNo },
  plexMatchByName: { label: "Find by file name", fallback: false, parse: yesNo },
  plexMissing: { label: "Scenes that Plex does not have", fallback: "wait", parse: oneOf("wait", "drop") },
  syncSkipFields: { label: "Fields to leave out", fallback: [], parse: someOf(fieldNames), holds: true },
  syncTagsAs: {
    label: "Tags become",
    fallback: "genres",
    parse: oneOf("genres", "labels", "collections"),
    holds: true
  },
  syncCollectionsFrom: {
    label: "Collections from",
    fallback: { studio: false, groups: false, tags: [] },
    parse: collectionSources,
    holds: true
  },
  syncStudioParent: { label: "Studio with its parent", fallback: false, parse: yesNo, holds: true },
  syncContentRating: {
    label: "Content rating",
    fallback: "",
    parse: oneLine(longestContentRating),
    holds: true
  },
  syncPictureAs: {
    label: "Picture becomes",
    fallback: "both",
    parse: oneOf("both", "poster", "background", "none"),
    holds: true
  },
  syncOnlyOrganized: { label: "Only organised scenes", fallback: false, parse: yesNo, holds: true },
  syncOnlyWithMetadata: { label: "Only scenes with metadata", fallback: false, parse: yesNo, holds: true },
  syncOnlyTags: { label: "Only with tags", fallback: [], parse: names, holds: true },
  syncNeverTags: { label: "Never with tags", fallback: [], parse: names, holds: true },
  syncOnlyStudios: { label: "Only of studios", fallback: [], parse: names, holds: true },
  syncNeverStudios: { label: "Never of studios", fallback: [], parse: names, holds: true },
  syncOnlyPaths: { label: "Only in paths", fallback: [], parse: globs, holds: true },
  syncNeverPaths: { label: "Never in paths", fallback: [], parse: globs, holds: true },
  syncReconcile: {
    label: "How often to reconcile",
    fallback: "daily",
    parse: oneOf("daily", "never", "hourly", "weekly")
  }
};
var syncDefaults = Object.fromEntries(
  Object.entries(syncRows).map(([key, { fallback }]) => [key, fallback])
);

// src/tasks/status.ts
var wakeWaitMs = 5e3;
var lookEveryMs2 = 100;
async function currentStatus(context) {
  const status = readStatus(context);
  if (status.worker.alive || !hasWork(status)) return status;
  leaveCommand(context, { command: "process", id: (0, import_node_crypto2.randomUUID)() });
  for (let waitedMs = 0; waitedMs < wakeWaitMs; waitedMs += lookEveryMs2) {
    await context.clock.sleep(lookEveryMs2);
    const now = readStatus(context);
    if (now.worker.alive && now.inbox === 0) return now;
  }
  return readStatus(context);
}
var isLooking = ({ passes, queue }) => passes.length + queue.fanOuts > 0;
var hasWork = (status) => status.inbox + status.queue.waiting > 0 || isLooking(status);
function readStatus({ paths }) {
  const status = readFile(paths.status) ?? unknownStatus;
  const name = readName(paths.alive);
  const alive = name !== null && isRunning(name) && status.worker.pid === name.pid;
  return {
    ...status,
    worker: alive ? status.worker : { alive: false, pid: null, since: null },
    inbox: inboxNames(paths.inbox).length
  };
}
function readFile(path) {
  try {
    const status = JSON.parse((0, import_node_fs8.readFileSync)(path, "utf8"));
    if (!status?.queue || !status.targets || !status.worker || !status.stash) return null;
    const isOld = !status.passes || Object.values(status.targets).some((one) => !one.queue || !one.filtered);
    return isOld ? null : status;
  } catch {
    return null;
  }
}
var unknownStatus = {
  version,
  paused: false,
  worker: { alive: false, pid: null, since: null },
  stash: { reachable: false, since: null, error: "not asked yet" },
  inbox: 0,
  queue: { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0, fanOuts: 0 },
  deadLetters: 0,
  passes: [],
  targets: {}
};
function statusInWords(status, { paths, clock }) {
  const now = clock.now();
  const { queue, stash, worker, deadLetters } = status;
  const lines = [
    workerInWords(status, paths.log, now),
    `${counted(queue.waiting, "scene waits", "scenes wait")}: ${queue.due} due now, ${queue.inFlight} on the way; ${queue.retrying} failed before. ${counted(status.inbox, "file", "files")} not yet read from the inbox.`
  ];
  const later = queue.waiting - queue.due - queue.inFlight - queue.retrying;
  if (later > 0)
    lines.push(`${counted(later, "scene", "scenes")} had no cover yet, and will be looked at once more.`);
  if (status.paused) lines.push('Paused: nothing is sent to Plex until you run "Resume".');
  if (queue.fanOuts > 0) {
    lines.push(
      `The scenes of ${counted(queue.fanOuts, "change", "changes")} of performers, studios, tags or groups are still to be queued.`
    );
  }
  if (deadLetters > 0) {
    lines.push(
      `${counted(deadLetters, "scene was", "scenes were")} given up. The task "Dead letters" says why and what to do.`
    );
  }
  for (const pass of status.passes) lines.push(passInWords(pass));
  if (worker.alive && stash.error) lines.push(`Stash: ${stash.error}`);
  for (const [name, target] of Object.entries(status.targets)) {
    lines.push(targetInWords(name, target, now), ...leftOutInWords(name, target));
  }
  return [...lines, ...notices(paths.notice)];
}
function passInWords({ name, looked, total, queued }) {
  const of = total === null ? "" : ` of ${total}`;
  return `${name} is under way: ${looked}${of} scenes looked at, ${queued} queued.`;
}
function workerInWords(status, log, now) {
  const { worker } = status;
  if (worker.alive) return `The worker runs (process ${worker.pid}, since ${localTime(worker.since, now)}).`;
  if (!hasWork(status)) return "No worker runs: there is nothing to do. The next edit starts one.";
  return `No worker runs although something waits, and none could be started; ${log} may say why.`;
}
function targetInWords(name, target, now) {
  const { url, breaker, recovery, reason, queue, done, failed } = target;
  const where = url === null ? `${name} (not set up)` : `${name} (${url})`;
  const counts = `${done} done, ${failed} given up.`;
  if (breaker.state === "CLOSED") {
    const ends = recovery.endsAt === null ? "" : ` At full speed from ${localTime(recovery.endsAt, now)}.`;
    return `${where}: ${reason}${ends} ${counts}`;
  }
  const waits = counted(queue.waiting, "scene waits", "scenes wait");
  const waitMs = breaker.retryAt === null ? 0 : Date.parse(breaker.retryAt) - now;
  const next = waitMs <= 0 ? "now" : `in ${duration(waitMs)}`;
  return `${where}: ${breaker.cause} So it is since ${localTime(breaker.since, now)}. ${waits}. Next try ${next}. ${counts}`;
}
function leftOutInWords(name, { filtered }) {
  const rules = Object.entries(filtered).sort(([, a], [, b]) => b - a);
  if (rules.length === 0) return [];
  const total = rules.reduce((sum, [, count]) => sum + count, 0);
  const parts = rules.map(([rule, count]) => `${count} ${ruleInWords(rule)}`);
  return [`${name}: ${counted(total, "scene was", "scenes were")} left out (${parts.join(", ")}).`];
}
function ruleInWords(rule) {
  if (rule === "no-file") return "without a file";
  if (rule === "not-in-plex") return "not in Plex";
  const row = Object.entries(syncRows).find(([key]) => key === rule)?.[1];
  return `by "${row?.label ?? rule}"`;
}
function notices(path) {
  try {
    return (0, import_node_fs8.readFileSync)(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
var localTime = (iso2, now) => iso2 === null ? "unknown" : timeBeside(Date.parse(iso2), now);

// src/tasks/follow-queue.ts
var lookEveryMs3 = 500;
var longestWaitMs = 1e4;
var enoughFailures = 8;
var longestStandstillMs = 35e3;
var settleMs = 2500;
async function followQueue(context) {
  const { clock, log } = context;
  const before = readStatus(context);
  const endedBefore = endedOf(before);
  await askWorker(context, "process");
  await clock.sleep(settleMs);
  let standstillMs = 0;
  let lastSeen = "";
  for (; ; ) {
    const status = readStatus(context);
    const ended = endedOf(status) - endedBefore;
    const open = status.queue.due + status.queue.inFlight + status.inbox;
    log.progress(ended + open === 0 ? 1 : ended / (ended + open));
    const seen = JSON.stringify([ended, status.queue, status.passes, status.inbox]);
    standstillMs = seen === lastSeen ? standstillMs + lookEveryMs3 : 0;
    lastSeen = seen;
    const why = reasonToStop(status, before, clock.now()) ?? (standstillMs >= longestStandstillMs ? 'Nothing moves for now; "Status" may say why.' : null);
    if (why !== null) {
      const { waiting } = status.queue;
      const summary2 = `${counted(ended, "scene", "scenes")} processed, ${counted(waiting, "waits", "wait")}. ${why}`;
      log.info(summary2);
      return summary2;
    }
    await clock.sleep(lookEveryMs3);
  }
}
function endedOf({ targets }) {
  return Object.values(targets).reduce((sum, { done, failed }) => sum + done + failed, 0);
}
function reasonToStop(status, before, now) {
  const { queue, inbox, stash, worker } = status;
  if (!worker.alive) return "The worker ended; see worker.log.";
  if (inbox > 0 && queue.due === 0) return null;
  if (queue.due === 0 && queue.inFlight === 0 && !isLooking(status)) {
    if (queue.waiting === 0) return "Nothing is left to do.";
    if (queue.retrying === 0)
      return "Nothing is due now: what waits had no cover yet, and is looked at once more.";
    return `Nothing is due: ${counted(queue.retrying, "scene is", "scenes are")} tried again later.`;
  }
  if (status.paused) return 'Paused: run "Resume" to go on.';
  if (!stash.reachable && stash.error) return stash.error;
  const busy = Object.entries(status.targets).filter(
    ([, target]) => target.queue.due + target.queue.inFlight > 0
  );
  const held = busy.map(([name, target]) => whyHeld(target, before.targets[name], now));
  return held.includes(null) ? null : held[0] ?? null;
}
function whyHeld(target, before, now) {
  const { breaker, url } = target;
  if (url === null) return breaker.cause ?? "Plex is not configured yet.";
  if (breaker.state !== "OPEN" || breaker.retryAt === null) return null;
  const waitMs = Date.parse(breaker.retryAt) - now;
  const triedInVain = breaker.failuresInARow - (before?.breaker.failuresInARow ?? 0);
  if (waitMs <= longestWaitMs && triedInVain < enoughFailures) return null;
  return `${breaker.cause} The next try is in ${duration(waitMs)}.`;
}

// src/shared/prometheus.ts
function prometheusText(metrics2) {
  const lines = metrics2.flatMap(({ name, help, samples }) => {
    const known3 = samples.filter(([, value]) => value !== null && Number.isFinite(Number(value)));
    if (known3.length === 0) return [];
    return [
      `# HELP ${name} ${escaped(help)}`,
      `# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}`,
      ...known3.map(([labels, value]) => `${name}${labelText(labels)} ${Number(value)}`)
    ];
  });
  return lines.map((line) => `${line}
`).join("");
}
function labelText(labels) {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
var escaped = (text) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

// src/shared/metrics.ts
var metricsText = (status) => prometheusText(metrics.map(({ name, help, samples }) => ({ name, help, samples: samples(status) })));
var instant = (iso2) => iso2 === null ? null : Date.parse(iso2) / 1e3;
var overall = (name, help, value) => ({
  name: `sluice_${name}`,
  help,
  samples: (status) => [[{}, value(status)]]
});
var perTarget = (name, help, samples) => ({
  name: `sluice_target_${name}`,
  help,
  samples: ({ targets }) => Object.entries(targets).flatMap(([target, status]) => {
    const found = samples(status);
    const list = Array.isArray(found) ? found : [[{}, found]];
    return list.map(([labels, value]) => [{ target, ...labels }, value]);
  })
});
var perPass = (name, help, value) => ({
  name: `sluice_pass_${name}`,
  help,
  samples: ({ passes }) => passes.map((pass) => [{ pass: pass.name }, value(pass)])
});
var oneOf2 = (label, all, current) => Object.keys(all).map((one) => [{ [label]: one }, one === current]);
var breakerStates = {
  CLOSED: true,
  OPEN: true,
  HALF_OPEN: true
};
var limits = {
  none: true,
  paused: true,
  "not configured": true,
  breaker: true,
  "retry-after": true,
  cooldown: true,
  ramp: true,
  cap: true,
  lanes: true
};
var latencies = ({ latency }, ms) => Object.entries(latency).map(([kind, of]) => [{ kind }, ms(of) / 1e3]);
var queueMetrics = [
  ["waiting", "Jobs that are not finished.", (queue) => queue.waiting],
  ["due", "Jobs that could be sent now, if the gate allows it.", (queue) => queue.due],
  ["in_flight", "Jobs that are being sent.", (queue) => queue.inFlight],
  ["parked", "Jobs that wait for the end of a cooldown.", (queue) => queue.parked],
  ["retrying", "Jobs that failed before.", (queue) => queue.retrying]
];
var metrics = [
  {
    name: "sluice_info",
    help: "The version of Sluice.",
    samples: ({ version: version2 }) => [[{ version: version2 }, 1]]
  },
  overall("paused", "Whether it is paused.", ({ paused }) => paused),
  overall("worker_alive", "Whether a worker runs.", ({ worker }) => worker.alive),
  overall(
    "worker_start_timestamp_seconds",
    "When the worker started.",
    ({ worker }) => instant(worker.since)
  ),
  overall("stash_reachable", "Whether Stash answers.", ({ stash }) => stash.reachable),
  overall(
    "stash_change_timestamp_seconds",
    "Since when Stash has been answering, or not.",
    ({ stash }) => instant(stash.since)
  ),
  overall("inbox_files", "Files that are not in the queue yet.", ({ inbox }) => inbox),
  ...queueMetrics.map(
    ([name, help, value]) => overall(`queue_${name}`, `${help.slice(0, -1)}, over all targets.`, ({ queue }) => value(queue))
  ),
  overall(
    "queue_fan_outs",
    "Noted changes of performers, studios, tags and groups.",
    ({ queue }) => queue.fanOuts
  ),
  overall(
    "dead_letters",
    "Jobs that were given up, and wait for a person.",
    ({ deadLetters }) => deadLetters
  ),
  perPass(
    "start_timestamp_seconds",
    "When the pass that is under way began.",
    ({ startedAt }) => instant(startedAt)
  ),
  perPass("looked", "Scenes that it has looked at.", ({ looked }) => looked),
  perPass("queued", "Scenes that it has queued.", ({ queued }) => queued),
  perPass("scenes", "Scenes that there are to look at.", ({ total }) => total),
  perTarget("configured", "Whether address and token are set.", ({ url }) => url !== null),
  perTarget(
    "breaker_state",
    "The state of the circuit breaker.",
    ({ breaker }) => oneOf2("state", breakerStates, breaker.state)
  ),
  perTarget(
    "breaker_change_timestamp_seconds",
    "When the outage began, or when the last one ended.",
    ({ breaker }) => instant(breaker.since)
  ),
  perTarget(
    "breaker_retry_timestamp_seconds",
    "When Plex is asked next.",
    ({ breaker }) => instant(breaker.retryAt)
  ),
  perTarget(
    "failures_in_a_row",
    "How often Plex failed since its last success.",
    ({ breaker }) => breaker.failuresInARow
  ),
  perTarget(
    "overloads_in_a_row",
    "How often Plex was overloaded since its last success.",
    ({ breaker }) => breaker.overloadsInARow
  ),
  perTarget(
    "error_ratio",
    "The share of failures among the latest results.",
    ({ breaker }) => breaker.errorRate
  ),
  perTarget("recovery_active", "Whether a recovery period is under way.", ({ recovery }) => recovery.active),
  perTarget(
    "recovery_start_timestamp_seconds",
    "When the recovery period began.",
    ({ recovery }) => instant(recovery.startedAt)
  ),
  perTarget(
    "recovery_end_timestamp_seconds",
    "When the recovery period ends.",
    ({ recovery }) => instant(recovery.endsAt)
  ),
  perTarget(
    "recovery_progress_ratio",
    "How much of the recovery period is over.",
    ({ recovery }) => recovery.progress
  ),
  perTarget(
    "recovery_multiplier_ratio",
    "What the rate of the recovery period is multiplied by because of errors.",
    ({ recovery }) => recovery.multiplier
  ),
  perTarget(
    "limit",
    "What keeps the next job back, or slows it down.",
    ({ rate }) => oneOf2("limit", limits, rate.limitedBy)
  ),
  perTarget(
    "allowed_jobs_per_second",
    "What the limits allow; missing without a limit.",
    ({ rate }) => rate.perSecond
  ),
  perTarget("achieved_jobs_per_second", "What was sent over the last seconds.", ({ rate }) => rate.achieved),
  perTarget("cap_jobs_per_second", "The adaptive cap; missing without one.", ({ rate }) => rate.cap),
  perTarget("tokens", "What is in the token bucket.", ({ rate }) => rate.tokens),
  perTarget(
    "cooldown_end_timestamp_seconds",
    "When the cooldown ends.",
    ({ cooldown }) => instant(cooldown.until)
  ),
  perTarget(
    "retry_after_timestamp_seconds",
    "Until when Plex asked us to wait.",
    ({ cooldown }) => instant(cooldown.retryAfter)
  ),
  perTarget("cooldowns_total", "Cooldowns after an overload.", ({ cooldown }) => cooldown.generations),
  perTarget(
    "cooldown_participants_total",
    "Jobs that met the overload of a cooldown.",
    ({ cooldown }) => cooldown.participants
  ),
  perTarget("parked_total", "Jobs that were parked.", ({ cooldown }) => cooldown.parked),
  perTarget("released_total", "Parked jobs that came back.", ({ cooldown }) => cooldown.released),
  perTarget(
    "latency_smoothed_seconds",
    "How long Plex takes to answer, smoothed.",
    (target) => latencies(target, ({ smoothedMs }) => smoothedMs)
  ),
  perTarget(
    "latency_normal_seconds",
    "How long Plex normally takes to answer.",
    (target) => latencies(target, ({ normalMs }) => normalMs)
  ),
  perTarget(
    "latency_p95_seconds",
    "What 95 of 100 answers take at most.",
    (target) => latencies(target, ({ p95Ms }) => p95Ms)
  ),
  ...queueMetrics.map(([name, help, value]) => perTarget(`queue_${name}`, help, ({ queue }) => value(queue))),
  perTarget("done_total", "Jobs that ended well.", ({ done }) => done),
  perTarget("retried_total", "Tries of jobs that failed and were put off.", ({ retried }) => retried),
  perTarget("failed_total", "Jobs that were given up.", ({ failed }) => failed),
  perTarget(
    "filtered_total",
    "Jobs that ended well because the scene is left out, by the setting that does so or by the reason.",
    ({ filtered }) => Object.entries(filtered).map(([rule, count]) => [{ rule }, count])
  )
];

// src/tasks/metrics.ts
async function reportMetrics(context) {
  const text = metricsText(await currentStatus(context));
  const { log, paths } = context;
  log.info(`The metrics are what this task answers; while a worker runs they are also in ${paths.metrics}.`);
  return text;
}

// src/tasks/outages.ts
var import_node_fs9 = require("node:fs");

// src/persist/atomic-file.ts
var import_write_file_atomic = __toESM(require_lib());
var headroomBytes = 64 * 1024;

// src/persist/set-aside.ts
var NewerState = class extends Error {
  constructor(path) {
    super(
      `${path} was written by a newer version of Sluice. Nothing was changed and nothing is sent to Plex; install that version again. Edits are still recorded meanwhile.`
    );
  }
};

// src/persist/json-document.ts
function parseDocument(format, text, path = format.path) {
  const value = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("version" in value)) throw new Error("no version");
  if (typeof value.version === "number" && value.version > format.version) throw new NewerState(path);
  if (value.version !== format.version) throw new Error(`unknown version ${String(value.version)}`);
  return format.parse(value);
}

// node_modules/valibot/dist/index.mjs
var store$4;
var DEFAULT_CONFIG = {
  lang: void 0,
  message: void 0,
  abortEarly: void 0,
  abortPipeEarly: void 0
};
// @__NO_SIDE_EFFECTS__
function getGlobalConfig(config$1) {
  if (!config$1 && !store$4) return DEFAULT_CONFIG;
  return {
    lang: config$1?.lang ?? store$4?.lang,
    message: config$1?.message,
    abortEarly: config$1?.abortEarly ?? store$4?.abortEarly,
    abortPipeEarly: config$1?.abortPipeEarly ?? store$4?.abortPipeEarly
  };
}
var store$3;
// @__NO_SIDE_EFFECTS__
function getGlobalMessage(lang) {
  return store$3?.get(lang);
}
var store$2;
// @__NO_SIDE_EFFECTS__
function getSchemaMessage(lang) {
  return store$2?.get(lang);
}
var store$1;
// @__NO_SIDE_EFFECTS__
function getSpecificMessage(reference, lang) {
  return store$1?.get(reference)?.get(lang);
}
// @__NO_SIDE_EFFECTS__
function _stringify(input) {
  const type = typeof input;
  if (type === "string") return `"${input}"`;
  if (type === "number" || type === "bigint" || type === "boolean") return `${input}`;
  if (type === "object" || type === "function") return (input && Object.getPrototypeOf(input)?.constructor?.name) ?? "null";
  return type;
}
function _addIssue(context, label, dataset, config$1, other) {
  const input = other && "input" in other ? other.input : dataset.value;
  const expected = other?.expected ?? context.expects ?? null;
  const received = other?.received ?? /* @__PURE__ */ _stringify(input);
  const issue = {
    kind: context.kind,
    type: context.type,
    input,
    expected,
    received,
    message: `Invalid ${label}: ${expected ? `Expected ${expected} but r` : "R"}eceived ${received}`,
    requirement: context.requirement,
    path: other?.path,
    issues: other?.issues,
    lang: config$1.lang,
    abortEarly: config$1.abortEarly,
    abortPipeEarly: config$1.abortPipeEarly
  };
  const isSchema = context.kind === "schema";
  const message$1 = other?.message ?? context.message ?? /* @__PURE__ */ getSpecificMessage(context.reference, issue.lang) ?? (isSchema ? /* @__PURE__ */ getSchemaMessage(issue.lang) : null) ?? config$1.message ?? /* @__PURE__ */ getGlobalMessage(issue.lang);
  if (message$1 !== void 0) issue.message = typeof message$1 === "function" ? message$1(issue) : message$1;
  if (isSchema) dataset.typed = false;
  if (dataset.issues) dataset.issues.push(issue);
  else dataset.issues = [issue];
}
// @__NO_SIDE_EFFECTS__
function _isValidObjectKey(object$1, key) {
  return Object.prototype.hasOwnProperty.call(object$1, key) && key !== "__proto__" && key !== "prototype" && key !== "constructor";
}
function _standardSchema(schema) {
  schema["~standard"] = {
    version: 1,
    vendor: "valibot",
    validate: (value$1) => schema["~run"]({ value: value$1 }, /* @__PURE__ */ getGlobalConfig())
  };
  return schema;
}
var ValiError = class extends Error {
  /**
  * Creates a Valibot error with useful information.
  *
  * @param issues The error issues.
  */
  constructor(issues) {
    super(issues[0].message);
    this.name = "ValiError";
    this.issues = issues;
  }
};
var EMOJI_REGEX = new RegExp("^(?:[\\u{1F1E6}-\\u{1F1FF}]{2}|\\u{1F3F4}[\\u{E0061}-\\u{E007A}]{2}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,3}\\u{E007F}|(?:\\p{Emoji}\\uFE0F\\u20E3?|\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier}?|(?![\\p{Emoji_Modifier_Base}\\u{1F1E6}-\\u{1F1FF}])\\p{Emoji_Presentation})(?:\\u200D(?:\\p{Emoji}\\uFE0F\\u20E3?|\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier}?|(?![\\p{Emoji_Modifier_Base}\\u{1F1E6}-\\u{1F1FF}])\\p{Emoji_Presentation}))*)+$", "u");
var ISO_TIMESTAMP_REGEX = /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])[T ](?:0\d|1\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z| ?[+-](?:0\d|1\d|2[0-3])(?::?[0-5]\d)?)$/u;
// @__NO_SIDE_EFFECTS__
function check(requirement, message$1) {
  return {
    kind: "validation",
    type: "check",
    reference: check,
    async: false,
    expects: null,
    requirement,
    message: message$1,
    "~run"(dataset, config$1) {
      if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
      return dataset;
    }
  };
}
// @__NO_SIDE_EFFECTS__
function isoTimestamp(message$1) {
  return {
    kind: "validation",
    type: "iso_timestamp",
    reference: isoTimestamp,
    async: false,
    expects: null,
    requirement: ISO_TIMESTAMP_REGEX,
    message: message$1,
    "~run"(dataset, config$1) {
      if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "timestamp", dataset, config$1);
      return dataset;
    }
  };
}
// @__NO_SIDE_EFFECTS__
function minValue(requirement, message$1) {
  return {
    kind: "validation",
    type: "min_value",
    reference: minValue,
    async: false,
    expects: `>=${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
    requirement,
    message: message$1,
    "~run"(dataset, config$1) {
      if (dataset.typed && !(dataset.value >= this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
      return dataset;
    }
  };
}
// @__NO_SIDE_EFFECTS__
function getFallback(schema, dataset, config$1) {
  return typeof schema.fallback === "function" ? schema.fallback(dataset, config$1) : schema.fallback;
}
// @__NO_SIDE_EFFECTS__
function getDefault(schema, dataset, config$1) {
  return typeof schema.default === "function" ? schema.default(dataset, config$1) : schema.default;
}
// @__NO_SIDE_EFFECTS__
function array(item, message$1) {
  return _standardSchema({
    kind: "schema",
    type: "array",
    reference: array,
    expects: "Array",
    async: false,
    item,
    message: message$1,
    "~run"(dataset, config$1) {
      const input = dataset.value;
      if (Array.isArray(input)) {
        dataset.typed = true;
        dataset.value = [];
        for (let key = 0; key < input.length; key++) {
          const value$1 = input[key];
          const itemDataset = this.item["~run"]({ value: value$1 }, config$1);
          if (itemDataset.issues) {
            const pathItem = {
              type: "array",
              origin: "value",
              input,
              key,
              value: value$1
            };
            for (const issue of itemDataset.issues) {
              if (issue.path) issue.path.unshift(pathItem);
              else issue.path = [pathItem];
              dataset.issues?.push(issue);
            }
            if (!dataset.issues) dataset.issues = itemDataset.issues;
            if (config$1.abortEarly) {
              dataset.typed = false;
              break;
            }
          }
          if (!itemDataset.typed) dataset.typed = false;
          dataset.value.push(itemDataset.value);
        }
      } else _addIssue(this, "type", dataset, config$1);
      return dataset;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function nullable(wrapped, default_) {
  return _standardSchema({
    kind: "schema",
    type: "nullable",
    reference: nullable,
    expects: `(${wrapped.expects} | null)`,
    async: false,
    wrapped,
    default: default_,
    "~run"(dataset, config$1) {
      if (dataset.value === null) {
        if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
        if (dataset.value === null) {
          dataset.typed = true;
          return dataset;
        }
      }
      return this.wrapped["~run"](dataset, config$1);
    }
  });
}
// @__NO_SIDE_EFFECTS__
function number(message$1) {
  return _standardSchema({
    kind: "schema",
    type: "number",
    reference: number,
    expects: "number",
    async: false,
    message: message$1,
    "~run"(dataset, config$1) {
      if (typeof dataset.value === "number" && !isNaN(dataset.value)) dataset.typed = true;
      else _addIssue(this, "type", dataset, config$1);
      return dataset;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function object(entries$1, message$1) {
  return _standardSchema({
    kind: "schema",
    type: "object",
    reference: object,
    expects: "Object",
    async: false,
    entries: entries$1,
    message: message$1,
    "~run"(dataset, config$1) {
      const input = dataset.value;
      if (input && typeof input === "object") {
        dataset.typed = true;
        dataset.value = {};
        for (const key in this.entries) {
          const valueSchema = this.entries[key];
          if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
            const value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema);
            const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
            if (valueDataset.issues) {
              const pathItem = {
                type: "object",
                origin: "value",
                input,
                key,
                value: value$1
              };
              for (const issue of valueDataset.issues) {
                if (issue.path) issue.path.unshift(pathItem);
                else issue.path = [pathItem];
                dataset.issues?.push(issue);
              }
              if (!dataset.issues) dataset.issues = valueDataset.issues;
              if (config$1.abortEarly) {
                dataset.typed = false;
                break;
              }
            }
            if (!valueDataset.typed) dataset.typed = false;
            dataset.value[key] = valueDataset.value;
          } else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
          else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
            _addIssue(this, "key", dataset, config$1, {
              input: void 0,
              expected: `"${key}"`,
              path: [{
                type: "object",
                origin: "key",
                input,
                key,
                value: input[key]
              }]
            });
            if (config$1.abortEarly) break;
          }
        }
      } else _addIssue(this, "type", dataset, config$1);
      return dataset;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function record(key, value$1, message$1) {
  return _standardSchema({
    kind: "schema",
    type: "record",
    reference: record,
    expects: "Object",
    async: false,
    key,
    value: value$1,
    message: message$1,
    "~run"(dataset, config$1) {
      const input = dataset.value;
      if (input && typeof input === "object") {
        dataset.typed = true;
        dataset.value = {};
        for (const entryKey in input) if (/* @__PURE__ */ _isValidObjectKey(input, entryKey)) {
          const entryValue = input[entryKey];
          const keyDataset = this.key["~run"]({ value: entryKey }, config$1);
          if (keyDataset.issues) {
            const pathItem = {
              type: "object",
              origin: "key",
              input,
              key: entryKey,
              value: entryValue
            };
            for (const issue of keyDataset.issues) {
              issue.path = [pathItem];
              dataset.issues?.push(issue);
            }
            if (!dataset.issues) dataset.issues = keyDataset.issues;
            if (config$1.abortEarly) {
              dataset.typed = false;
              break;
            }
          }
          const valueDataset = this.value["~run"]({ value: entryValue }, config$1);
          if (valueDataset.issues) {
            const pathItem = {
              type: "object",
              origin: "value",
              input,
              key: entryKey,
              value: entryValue
            };
            for (const issue of valueDataset.issues) {
              if (issue.path) issue.path.unshift(pathItem);
              else issue.path = [pathItem];
              dataset.issues?.push(issue);
            }
            if (!dataset.issues) dataset.issues = valueDataset.issues;
            if (config$1.abortEarly) {
              dataset.typed = false;
              break;
            }
          }
          if (!keyDataset.typed || !valueDataset.typed) dataset.typed = false;
          if (keyDataset.typed) dataset.value[keyDataset.value] = valueDataset.value;
        }
      } else _addIssue(this, "type", dataset, config$1);
      return dataset;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function string(message$1) {
  return _standardSchema({
    kind: "schema",
    type: "string",
    reference: string,
    expects: "string",
    async: false,
    message: message$1,
    "~run"(dataset, config$1) {
      if (typeof dataset.value === "string") dataset.typed = true;
      else _addIssue(this, "type", dataset, config$1);
      return dataset;
    }
  });
}
function parse(schema, input, config$1) {
  const dataset = schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
  if (dataset.issues) throw new ValiError(dataset.issues);
  return dataset.value;
}
// @__NO_SIDE_EFFECTS__
function pipe(...pipe$1) {
  return _standardSchema({
    ...pipe$1[0],
    pipe: pipe$1,
    "~run"(dataset, config$1) {
      for (const item of pipe$1) if (item.kind !== "metadata") {
        if (dataset.issues && (item.kind === "schema" || item.kind === "transformation")) {
          dataset.typed = false;
          break;
        }
        if (!dataset.issues || !config$1.abortEarly && !config$1.abortPipeEarly) dataset = item["~run"](dataset, config$1);
      }
      return dataset;
    }
  });
}

// src/resilience/outage-document.ts
var time = pipe(
  string(),
  isoTimestamp(),
  check((text) => !Number.isNaN(Date.parse(text)), "no such time")
);
var amount = pipe(number(), minValue(0));
var outageDocument = object({
  watchedSince: record(string(), time),
  outages: array(
    object({
      target: string(),
      start: time,
      end: nullable(time),
      cause: string(),
      jobsWaiting: amount,
      waitingSince: nullable(time),
      longestWaitSeconds: amount
    })
  )
});
var outageFormat = {
  version: 1,
  parse: (value) => parse(outageDocument, value),
  ifLost: "The list of past outages begins anew."
};
var written = (at) => at === null ? null : iso(at);
var read = (text) => text === null ? null : Date.parse(text);
function documentOf({ watchedSince, outages }) {
  return {
    watchedSince: Object.fromEntries(Object.entries(watchedSince).map(([name, at]) => [name, iso(at)])),
    outages: outages.map((outage) => ({
      target: outage.target,
      start: iso(outage.start),
      end: written(outage.end),
      cause: outage.cause,
      jobsWaiting: outage.jobsWaiting,
      waitingSince: written(outage.waitingSince),
      longestWaitSeconds: Math.round(outage.longestWaitMs / 1e3)
    }))
  };
}
function historyOf({ watchedSince, outages }) {
  return {
    watchedSince: Object.fromEntries(
      Object.entries(watchedSince).map(([name, text]) => [name, Date.parse(text)])
    ),
    outages: outages.map(({ longestWaitSeconds, ...outage }) => ({
      ...outage,
      start: Date.parse(outage.start),
      end: read(outage.end),
      waitingSince: read(outage.waitingSince),
      longestWaitMs: longestWaitSeconds * 1e3
    }))
  };
}

// src/resilience/outages.ts
var noHistory = { watchedSince: {}, outages: [] };
var longestWait = (outage, since, until) => Math.max(outage.longestWaitMs, since === null ? 0 : until - since);
var asOf = (outage, now) => ({
  ...outage,
  longestWaitMs: longestWait(outage, outage.waitingSince, now)
});
function summary(outages, watchedSince, now) {
  const watchedMs = Math.max(0, now - watchedSince);
  const lengthMs = (start, end) => Math.max(0, end - start);
  const over = outages.flatMap(({ start, end }) => end === null ? [] : [lengthMs(start, end)]);
  const downMs = outages.reduce(
    (sum, { start, end }) => sum + lengthMs(Math.max(start, watchedSince), Math.min(end ?? now, now)),
    0
  );
  const upMs = Math.max(0, watchedMs - downMs);
  return {
    count: outages.length,
    meanTimeToRecoveryMs: over.length === 0 ? null : over.reduce((a, b) => a + b, 0) / over.length,
    meanTimeBetweenFailuresMs: outages.length === 0 ? null : upMs / outages.length,
    availability: watchedMs === 0 ? Number(outages.every(({ end }) => end !== null)) : upMs / watchedMs
  };
}

// src/tasks/outages.ts
var mostLines = 20;
async function reportOutages({ paths, clock, log }) {
  const now = clock.now();
  const { watchedSince, outages: noticed } = readHistory(paths.outages, log);
  const outages = noticed.map((outage) => asOf(outage, now)).sort((a, b) => b.start - a.start);
  const targets = {};
  for (const outage of outages.slice(0, mostLines)) log.info(outageInWords(outage, now));
  if (outages.length > mostLines) log.info(`${outages.length - mostLines} more are in ${paths.outages}.`);
  for (const [name, since] of Object.entries(watchedSince)) {
    const numbers = summary(
      outages.filter(({ target }) => target === name),
      since,
      now
    );
    log.info(`${name}: ${summaryInWords(numbers, since, now)}`);
    targets[name] = targetReport(numbers, since);
  }
  if (Object.keys(targets).length === 0) log.info("No outage has been recorded yet.");
  return { outages: documentOf({ watchedSince, outages }).outages, targets };
}
function readHistory(path, log) {
  let trouble = null;
  for (const copy of [path, `${path}.prev`]) {
    try {
      const document = parseDocument({ ...outageFormat, path: copy }, (0, import_node_fs9.readFileSync)(copy, "utf8"));
      if (trouble !== null) log.warn(`${trouble} This is the copy before.`);
      return historyOf(document);
    } catch (error) {
      if (error instanceof NewerState) throw error;
      if (codeOf(error) !== "ENOENT") trouble ??= `${copy} cannot be used (${messageOf(error)}).`;
    }
  }
  if (trouble !== null) throw new Error(`${trouble} ${outageFormat.ifLost}`);
  return noHistory;
}
function outageInWords(outage, now) {
  const { target, start, end, cause, jobsWaiting, longestWaitMs: longestWaitMs2 } = outage;
  const length = duration((end ?? now) - start);
  const when = end === null ? `since ${dayAndTime(start, now)} (${length} so far)` : `${dayAndTime(start, now)} to ${timeBeside(end, start)} (${length})`;
  const waited = jobsWaiting === 0 ? "Nothing waited." : `${counted(jobsWaiting, "scene", "scenes")} waited, at most ${duration(longestWaitMs2)}.`;
  return `${target}: ${when}: ${cause} ${waited}`;
}
function summaryInWords(numbers, since, now) {
  const { count, meanTimeToRecoveryMs, meanTimeBetweenFailuresMs, availability } = numbers;
  const parts = [
    `${count === 0 ? "no outage" : counted(count, "outage", "outages")} since ${dayAndTime(since, now)}`
  ];
  if (meanTimeToRecoveryMs !== null) parts.push(`mean time to recovery ${duration(meanTimeToRecoveryMs)}`);
  if (meanTimeBetweenFailuresMs !== null) {
    parts.push(`mean time between failures ${duration(meanTimeBetweenFailuresMs)}`);
  }
  return `${[...parts, `availability ${percent(availability)}`].join(", ")}.`;
}
var percent = (share) => share === 1 ? "100 %" : `${Math.min(99.99, share * 100).toFixed(2)} %`;
var seconds = (ms) => ms === null ? null : Math.round(ms / 1e3);
var targetReport = (numbers, since) => ({
  watchedSince: iso(since),
  outages: numbers.count,
  meanTimeToRecoverySeconds: seconds(numbers.meanTimeToRecoveryMs),
  meanTimeBetweenFailuresSeconds: seconds(numbers.meanTimeBetweenFailuresMs),
  availability: numbers.availability
});

// src/tasks/run-task.ts
var ask = (command) => async (context, args) => {
  const message = await askWorker(context, command, args);
  for (const line of message.split("\n")) context.log.info(line);
  return message;
};
var tasks = {
  process: followQueue,
  sync_all: ask("sync_all"),
  sync_recent: ask("sync_recent"),
  pause: ask("pause"),
  resume: ask("resume"),
  clear_queue: ask("clear_queue"),
  health: ask("health"),
  reset_breaker: ask("reset_breaker"),
  reconcile: ask("reconcile"),
  explain: ask("explain"),
  dry_run: ask("dry_run"),
  dead_letters: ask("dead_letters"),
  retry_dead_letters: ask("retry_dead_letters"),
  discard_dead_letters: ask("discard_dead_letters"),
  status: async (context) => {
    const status = await currentStatus(context);
    for (const line of statusInWords(status, context)) context.log.info(line);
    return status;
  },
  outages: reportOutages,
  metrics: reportMetrics
};
async function runTask(text, distDir) {
  const log = stashLog();
  try {
    const input = parseStashInput(text);
    const connection = connectionOf(input);
    registerCookie(connection.cookie?.value);
    const args = typeof input.args === "object" && input.args !== null ? { ...input.args } : {};
    const mode = String(args.mode ?? "");
    const task = Object.hasOwn(tasks, mode) ? tasks[mode] : void 0;
    if (!task) {
      throw new BadInput(
        `"mode" is ${JSON.stringify(mode)}, but must be one of ${Object.keys(tasks).join(", ")}`
      );
    }
    const stateDir = chooseStateDir(connection, process.env);
    leavePointer(distDir, stateDir);
    const context = {
      paths: statePaths(stateDir),
      pluginDir: connection.pluginDir,
      distDir,
      serverConnection: input.server_connection,
      clock: systemClock,
      log
    };
    return { output: await task(context, args) };
  } catch (error) {
    const message = redact(error instanceof BadInput ? messageOf(error) : describeFileError(error));
    log.error(message);
    return { error: message };
  }
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
  runTask
});
