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
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key2 of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key2) && key2 !== except)
        __defProp(to, key2, { get: () => from[key2], enumerable: !(desc = __getOwnPropDesc(from, key2)) || desc.enumerable });
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
    var global2 = globalThis;
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
        if (global2[kExitEmitter]) {
          return global2[kExitEmitter];
        }
        ObjectDefineProperty(global2, kExitEmitter, {
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
        const list3 = this.listeners[ev];
        const i = list3.indexOf(fn);
        if (i === -1) {
          return;
        }
        if (i === 0 && list3.length === 1) {
          list3.length = 0;
        } else {
          list3.splice(i, 1);
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
            let { count: count4 } = this.#emitter;
            const p = process3;
            if (typeof p.__signal_exit_emitter__ === "object" && typeof p.__signal_exit_emitter__.count === "number") {
              count4 += p.__signal_exit_emitter__.count;
            }
            if (listeners.length === count4) {
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
          const listener2 = this.#sigListeners[sig];
          if (!listener2) {
            throw new Error("Listener not defined for signal: " + sig);
          }
          try {
            this.#process.removeListener(sig, listener2);
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
    module2.exports.sync = writeFileSync6;
    module2.exports._getTmpname = getTmpname;
    module2.exports._cleanupOnExit = cleanupOnExit;
    var fs2 = require("fs");
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
          fs2.unlinkSync(typeof tmpfile === "function" ? tmpfile() : tmpfile);
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
        const truename = await promisify(fs2.realpath)(filename).catch(() => filename);
        tmpfile = getTmpname(truename);
        if (!options.mode || !options.chown) {
          const stats = await promisify(fs2.stat)(truename).catch(() => {
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
        fd = await promisify(fs2.open)(tmpfile, "w", options.mode);
        if (options.tmpfileCreated) {
          await options.tmpfileCreated(tmpfile);
        }
        if (ArrayBuffer.isView(data)) {
          await promisify(fs2.write)(fd, data, 0, data.length, 0);
        } else if (data != null) {
          await promisify(fs2.write)(fd, String(data), 0, String(options.encoding || "utf8"));
        }
        if (options.fsync !== false) {
          await promisify(fs2.fsync)(fd);
        }
        await promisify(fs2.close)(fd);
        fd = null;
        if (options.chown) {
          await promisify(fs2.chown)(tmpfile, options.chown.uid, options.chown.gid).catch((err) => {
            if (!isChownErrOk(err)) {
              throw err;
            }
          });
        }
        if (options.mode) {
          await promisify(fs2.chmod)(tmpfile, options.mode).catch((err) => {
            if (!isChownErrOk(err)) {
              throw err;
            }
          });
        }
        await promisify(fs2.rename)(tmpfile, truename);
      } finally {
        if (fd) {
          await promisify(fs2.close)(fd).catch(
            /* istanbul ignore next */
            () => {
            }
          );
        }
        removeOnExitHandler();
        await promisify(fs2.unlink)(tmpfile).catch(() => {
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
    function writeFileSync6(filename, data, options) {
      if (typeof options === "string") {
        options = { encoding: options };
      } else if (!options) {
        options = {};
      }
      try {
        filename = fs2.realpathSync(filename);
      } catch (ex) {
      }
      const tmpfile = getTmpname(filename);
      if (!options.mode || !options.chown) {
        try {
          const stats = fs2.statSync(filename);
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
        fd = fs2.openSync(tmpfile, "w", options.mode || 438);
        if (options.tmpfileCreated) {
          options.tmpfileCreated(tmpfile);
        }
        if (ArrayBuffer.isView(data)) {
          fs2.writeSync(fd, data, 0, data.length, 0);
        } else if (data != null) {
          fs2.writeSync(fd, String(data), 0, String(options.encoding || "utf8"));
        }
        if (options.fsync !== false) {
          fs2.fsyncSync(fd);
        }
        fs2.closeSync(fd);
        fd = null;
        if (options.chown) {
          try {
            fs2.chownSync(tmpfile, options.chown.uid, options.chown.gid);
          } catch (err) {
            if (!isChownErrOk(err)) {
              throw err;
            }
          }
        }
        if (options.mode) {
          try {
            fs2.chmodSync(tmpfile, options.mode);
          } catch (err) {
            if (!isChownErrOk(err)) {
              throw err;
            }
          }
        }
        fs2.renameSync(tmpfile, filename);
        threw = false;
      } finally {
        if (fd) {
          try {
            fs2.closeSync(fd);
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

// node_modules/graceful-fs/polyfills.js
var require_polyfills = __commonJS({
  "node_modules/graceful-fs/polyfills.js"(exports2, module2) {
    var constants2 = require("constants");
    var origCwd = process.cwd;
    var cwd = null;
    var platform = process.env.GRACEFUL_FS_PLATFORM || process.platform;
    process.cwd = function() {
      if (!cwd)
        cwd = origCwd.call(process);
      return cwd;
    };
    try {
      process.cwd();
    } catch (er) {
    }
    if (typeof process.chdir === "function") {
      chdir = process.chdir;
      process.chdir = function(d) {
        cwd = null;
        chdir.call(process, d);
      };
      if (Object.setPrototypeOf) Object.setPrototypeOf(process.chdir, chdir);
    }
    var chdir;
    module2.exports = patch;
    function patch(fs2) {
      if (constants2.hasOwnProperty("O_SYMLINK") && process.version.match(/^v0\.6\.[0-2]|^v0\.5\./)) {
        patchLchmod(fs2);
      }
      if (!fs2.lutimes) {
        patchLutimes(fs2);
      }
      fs2.chown = chownFix(fs2.chown);
      fs2.fchown = chownFix(fs2.fchown);
      fs2.lchown = chownFix(fs2.lchown);
      fs2.chmod = chmodFix(fs2.chmod);
      fs2.fchmod = chmodFix(fs2.fchmod);
      fs2.lchmod = chmodFix(fs2.lchmod);
      fs2.chownSync = chownFixSync(fs2.chownSync);
      fs2.fchownSync = chownFixSync(fs2.fchownSync);
      fs2.lchownSync = chownFixSync(fs2.lchownSync);
      fs2.chmodSync = chmodFixSync(fs2.chmodSync);
      fs2.fchmodSync = chmodFixSync(fs2.fchmodSync);
      fs2.lchmodSync = chmodFixSync(fs2.lchmodSync);
      fs2.stat = statFix(fs2.stat);
      fs2.fstat = statFix(fs2.fstat);
      fs2.lstat = statFix(fs2.lstat);
      fs2.statSync = statFixSync(fs2.statSync);
      fs2.fstatSync = statFixSync(fs2.fstatSync);
      fs2.lstatSync = statFixSync(fs2.lstatSync);
      if (fs2.chmod && !fs2.lchmod) {
        fs2.lchmod = function(path, mode, cb) {
          if (cb) process.nextTick(cb);
        };
        fs2.lchmodSync = function() {
        };
      }
      if (fs2.chown && !fs2.lchown) {
        fs2.lchown = function(path, uid, gid, cb) {
          if (cb) process.nextTick(cb);
        };
        fs2.lchownSync = function() {
        };
      }
      if (platform === "win32") {
        fs2.rename = typeof fs2.rename !== "function" ? fs2.rename : (function(fs$rename) {
          function rename(from, to, cb) {
            var start = Date.now();
            var backoff = 0;
            fs$rename(from, to, function CB(er) {
              if (er && (er.code === "EACCES" || er.code === "EPERM" || er.code === "EBUSY") && Date.now() - start < 6e4) {
                setTimeout(function() {
                  fs2.stat(to, function(stater, st) {
                    if (stater && stater.code === "ENOENT")
                      fs$rename(from, to, CB);
                    else
                      cb(er);
                  });
                }, backoff);
                if (backoff < 100)
                  backoff += 10;
                return;
              }
              if (cb) cb(er);
            });
          }
          if (Object.setPrototypeOf) Object.setPrototypeOf(rename, fs$rename);
          return rename;
        })(fs2.rename);
      }
      fs2.read = typeof fs2.read !== "function" ? fs2.read : (function(fs$read) {
        function read3(fd, buffer, offset, length, position, callback_) {
          var callback;
          if (callback_ && typeof callback_ === "function") {
            var eagCounter = 0;
            callback = function(er, _, __) {
              if (er && er.code === "EAGAIN" && eagCounter < 10) {
                eagCounter++;
                return fs$read.call(fs2, fd, buffer, offset, length, position, callback);
              }
              callback_.apply(this, arguments);
            };
          }
          return fs$read.call(fs2, fd, buffer, offset, length, position, callback);
        }
        if (Object.setPrototypeOf) Object.setPrototypeOf(read3, fs$read);
        return read3;
      })(fs2.read);
      fs2.readSync = typeof fs2.readSync !== "function" ? fs2.readSync : /* @__PURE__ */ (function(fs$readSync) {
        return function(fd, buffer, offset, length, position) {
          var eagCounter = 0;
          while (true) {
            try {
              return fs$readSync.call(fs2, fd, buffer, offset, length, position);
            } catch (er) {
              if (er.code === "EAGAIN" && eagCounter < 10) {
                eagCounter++;
                continue;
              }
              throw er;
            }
          }
        };
      })(fs2.readSync);
      function patchLchmod(fs3) {
        fs3.lchmod = function(path, mode, callback) {
          fs3.open(
            path,
            constants2.O_WRONLY | constants2.O_SYMLINK,
            mode,
            function(err, fd) {
              if (err) {
                if (callback) callback(err);
                return;
              }
              fs3.fchmod(fd, mode, function(err2) {
                fs3.close(fd, function(err22) {
                  if (callback) callback(err2 || err22);
                });
              });
            }
          );
        };
        fs3.lchmodSync = function(path, mode) {
          var fd = fs3.openSync(path, constants2.O_WRONLY | constants2.O_SYMLINK, mode);
          var threw = true;
          var ret;
          try {
            ret = fs3.fchmodSync(fd, mode);
            threw = false;
          } finally {
            if (threw) {
              try {
                fs3.closeSync(fd);
              } catch (er) {
              }
            } else {
              fs3.closeSync(fd);
            }
          }
          return ret;
        };
      }
      function patchLutimes(fs3) {
        if (constants2.hasOwnProperty("O_SYMLINK") && fs3.futimes) {
          fs3.lutimes = function(path, at, mt, cb) {
            fs3.open(path, constants2.O_SYMLINK, function(er, fd) {
              if (er) {
                if (cb) cb(er);
                return;
              }
              fs3.futimes(fd, at, mt, function(er2) {
                fs3.close(fd, function(er22) {
                  if (cb) cb(er2 || er22);
                });
              });
            });
          };
          fs3.lutimesSync = function(path, at, mt) {
            var fd = fs3.openSync(path, constants2.O_SYMLINK);
            var ret;
            var threw = true;
            try {
              ret = fs3.futimesSync(fd, at, mt);
              threw = false;
            } finally {
              if (threw) {
                try {
                  fs3.closeSync(fd);
                } catch (er) {
                }
              } else {
                fs3.closeSync(fd);
              }
            }
            return ret;
          };
        } else if (fs3.futimes) {
          fs3.lutimes = function(_a, _b, _c, cb) {
            if (cb) process.nextTick(cb);
          };
          fs3.lutimesSync = function() {
          };
        }
      }
      function chmodFix(orig) {
        if (!orig) return orig;
        return function(target, mode, cb) {
          return orig.call(fs2, target, mode, function(er) {
            if (chownErOk(er)) er = null;
            if (cb) cb.apply(this, arguments);
          });
        };
      }
      function chmodFixSync(orig) {
        if (!orig) return orig;
        return function(target, mode) {
          try {
            return orig.call(fs2, target, mode);
          } catch (er) {
            if (!chownErOk(er)) throw er;
          }
        };
      }
      function chownFix(orig) {
        if (!orig) return orig;
        return function(target, uid, gid, cb) {
          return orig.call(fs2, target, uid, gid, function(er) {
            if (chownErOk(er)) er = null;
            if (cb) cb.apply(this, arguments);
          });
        };
      }
      function chownFixSync(orig) {
        if (!orig) return orig;
        return function(target, uid, gid) {
          try {
            return orig.call(fs2, target, uid, gid);
          } catch (er) {
            if (!chownErOk(er)) throw er;
          }
        };
      }
      function statFix(orig) {
        if (!orig) return orig;
        return function(target, options, cb) {
          if (typeof options === "function") {
            cb = options;
            options = null;
          }
          function callback(er, stats) {
            if (stats) {
              if (stats.uid < 0) stats.uid += 4294967296;
              if (stats.gid < 0) stats.gid += 4294967296;
            }
            if (cb) cb.apply(this, arguments);
          }
          return options ? orig.call(fs2, target, options, callback) : orig.call(fs2, target, callback);
        };
      }
      function statFixSync(orig) {
        if (!orig) return orig;
        return function(target, options) {
          var stats = options ? orig.call(fs2, target, options) : orig.call(fs2, target);
          if (stats) {
            if (stats.uid < 0) stats.uid += 4294967296;
            if (stats.gid < 0) stats.gid += 4294967296;
          }
          return stats;
        };
      }
      function chownErOk(er) {
        if (!er)
          return true;
        if (er.code === "ENOSYS")
          return true;
        var nonroot = !process.getuid || process.getuid() !== 0;
        if (nonroot) {
          if (er.code === "EINVAL" || er.code === "EPERM")
            return true;
        }
        return false;
      }
    }
  }
});

// node_modules/graceful-fs/legacy-streams.js
var require_legacy_streams = __commonJS({
  "node_modules/graceful-fs/legacy-streams.js"(exports2, module2) {
    var Stream = require("stream").Stream;
    module2.exports = legacy;
    function legacy(fs2) {
      return {
        ReadStream,
        WriteStream
      };
      function ReadStream(path, options) {
        if (!(this instanceof ReadStream)) return new ReadStream(path, options);
        Stream.call(this);
        var self = this;
        this.path = path;
        this.fd = null;
        this.readable = true;
        this.paused = false;
        this.flags = "r";
        this.mode = 438;
        this.bufferSize = 64 * 1024;
        options = options || {};
        var keys3 = Object.keys(options);
        for (var index = 0, length = keys3.length; index < length; index++) {
          var key2 = keys3[index];
          this[key2] = options[key2];
        }
        if (this.encoding) this.setEncoding(this.encoding);
        if (this.start !== void 0) {
          if ("number" !== typeof this.start) {
            throw TypeError("start must be a Number");
          }
          if (this.end === void 0) {
            this.end = Infinity;
          } else if ("number" !== typeof this.end) {
            throw TypeError("end must be a Number");
          }
          if (this.start > this.end) {
            throw new Error("start must be <= end");
          }
          this.pos = this.start;
        }
        if (this.fd !== null) {
          process.nextTick(function() {
            self._read();
          });
          return;
        }
        fs2.open(this.path, this.flags, this.mode, function(err, fd) {
          if (err) {
            self.emit("error", err);
            self.readable = false;
            return;
          }
          self.fd = fd;
          self.emit("open", fd);
          self._read();
        });
      }
      function WriteStream(path, options) {
        if (!(this instanceof WriteStream)) return new WriteStream(path, options);
        Stream.call(this);
        this.path = path;
        this.fd = null;
        this.writable = true;
        this.flags = "w";
        this.encoding = "binary";
        this.mode = 438;
        this.bytesWritten = 0;
        options = options || {};
        var keys3 = Object.keys(options);
        for (var index = 0, length = keys3.length; index < length; index++) {
          var key2 = keys3[index];
          this[key2] = options[key2];
        }
        if (this.start !== void 0) {
          if ("number" !== typeof this.start) {
            throw TypeError("start must be a Number");
          }
          if (this.start < 0) {
            throw new Error("start must be >= zero");
          }
          this.pos = this.start;
        }
        this.busy = false;
        this._queue = [];
        if (this.fd === null) {
          this._open = fs2.open;
          this._queue.push([this._open, this.path, this.flags, this.mode, void 0]);
          this.flush();
        }
      }
    }
  }
});

// node_modules/graceful-fs/clone.js
var require_clone = __commonJS({
  "node_modules/graceful-fs/clone.js"(exports2, module2) {
    "use strict";
    module2.exports = clone;
    var getPrototypeOf = Object.getPrototypeOf || function(obj) {
      return obj.__proto__;
    };
    function clone(obj) {
      if (obj === null || typeof obj !== "object")
        return obj;
      if (obj instanceof Object)
        var copy = { __proto__: getPrototypeOf(obj) };
      else
        var copy = /* @__PURE__ */ Object.create(null);
      Object.getOwnPropertyNames(obj).forEach(function(key2) {
        Object.defineProperty(copy, key2, Object.getOwnPropertyDescriptor(obj, key2));
      });
      return copy;
    }
  }
});

// node_modules/graceful-fs/graceful-fs.js
var require_graceful_fs = __commonJS({
  "node_modules/graceful-fs/graceful-fs.js"(exports2, module2) {
    var fs2 = require("fs");
    var polyfills = require_polyfills();
    var legacy = require_legacy_streams();
    var clone = require_clone();
    var util = require("util");
    var gracefulQueue;
    var previousSymbol;
    if (typeof Symbol === "function" && typeof Symbol.for === "function") {
      gracefulQueue = /* @__PURE__ */ Symbol.for("graceful-fs.queue");
      previousSymbol = /* @__PURE__ */ Symbol.for("graceful-fs.previous");
    } else {
      gracefulQueue = "___graceful-fs.queue";
      previousSymbol = "___graceful-fs.previous";
    }
    function noop() {
    }
    function publishQueue(context, queue2) {
      Object.defineProperty(context, gracefulQueue, {
        get: function() {
          return queue2;
        }
      });
    }
    var debug = noop;
    if (util.debuglog)
      debug = util.debuglog("gfs4");
    else if (/\bgfs4\b/i.test(process.env.NODE_DEBUG || ""))
      debug = function() {
        var m = util.format.apply(util, arguments);
        m = "GFS4: " + m.split(/\n/).join("\nGFS4: ");
        console.error(m);
      };
    if (!fs2[gracefulQueue]) {
      queue = global[gracefulQueue] || [];
      publishQueue(fs2, queue);
      fs2.close = (function(fs$close) {
        function close(fd, cb) {
          return fs$close.call(fs2, fd, function(err) {
            if (!err) {
              resetQueue();
            }
            if (typeof cb === "function")
              cb.apply(this, arguments);
          });
        }
        Object.defineProperty(close, previousSymbol, {
          value: fs$close
        });
        return close;
      })(fs2.close);
      fs2.closeSync = (function(fs$closeSync) {
        function closeSync6(fd) {
          fs$closeSync.apply(fs2, arguments);
          resetQueue();
        }
        Object.defineProperty(closeSync6, previousSymbol, {
          value: fs$closeSync
        });
        return closeSync6;
      })(fs2.closeSync);
      if (/\bgfs4\b/i.test(process.env.NODE_DEBUG || "")) {
        process.on("exit", function() {
          debug(fs2[gracefulQueue]);
          require("assert").equal(fs2[gracefulQueue].length, 0);
        });
      }
    }
    var queue;
    if (!global[gracefulQueue]) {
      publishQueue(global, fs2[gracefulQueue]);
    }
    module2.exports = patch(clone(fs2));
    if (process.env.TEST_GRACEFUL_FS_GLOBAL_PATCH && !fs2.__patched) {
      module2.exports = patch(fs2);
      fs2.__patched = true;
    }
    function patch(fs3) {
      polyfills(fs3);
      fs3.gracefulify = patch;
      fs3.createReadStream = createReadStream;
      fs3.createWriteStream = createWriteStream;
      var fs$readFile = fs3.readFile;
      fs3.readFile = readFile;
      function readFile(path, options, cb) {
        if (typeof options === "function")
          cb = options, options = null;
        return go$readFile(path, options, cb);
        function go$readFile(path2, options2, cb2, startTime) {
          return fs$readFile(path2, options2, function(err) {
            if (err && (err.code === "EMFILE" || err.code === "ENFILE"))
              enqueue([go$readFile, [path2, options2, cb2], err, startTime || Date.now(), Date.now()]);
            else {
              if (typeof cb2 === "function")
                cb2.apply(this, arguments);
            }
          });
        }
      }
      var fs$writeFile = fs3.writeFile;
      fs3.writeFile = writeFile;
      function writeFile(path, data, options, cb) {
        if (typeof options === "function")
          cb = options, options = null;
        return go$writeFile(path, data, options, cb);
        function go$writeFile(path2, data2, options2, cb2, startTime) {
          return fs$writeFile(path2, data2, options2, function(err) {
            if (err && (err.code === "EMFILE" || err.code === "ENFILE"))
              enqueue([go$writeFile, [path2, data2, options2, cb2], err, startTime || Date.now(), Date.now()]);
            else {
              if (typeof cb2 === "function")
                cb2.apply(this, arguments);
            }
          });
        }
      }
      var fs$appendFile = fs3.appendFile;
      if (fs$appendFile)
        fs3.appendFile = appendFile;
      function appendFile(path, data, options, cb) {
        if (typeof options === "function")
          cb = options, options = null;
        return go$appendFile(path, data, options, cb);
        function go$appendFile(path2, data2, options2, cb2, startTime) {
          return fs$appendFile(path2, data2, options2, function(err) {
            if (err && (err.code === "EMFILE" || err.code === "ENFILE"))
              enqueue([go$appendFile, [path2, data2, options2, cb2], err, startTime || Date.now(), Date.now()]);
            else {
              if (typeof cb2 === "function")
                cb2.apply(this, arguments);
            }
          });
        }
      }
      var fs$copyFile = fs3.copyFile;
      if (fs$copyFile)
        fs3.copyFile = copyFile;
      function copyFile(src, dest, flags, cb) {
        if (typeof flags === "function") {
          cb = flags;
          flags = 0;
        }
        return go$copyFile(src, dest, flags, cb);
        function go$copyFile(src2, dest2, flags2, cb2, startTime) {
          return fs$copyFile(src2, dest2, flags2, function(err) {
            if (err && (err.code === "EMFILE" || err.code === "ENFILE"))
              enqueue([go$copyFile, [src2, dest2, flags2, cb2], err, startTime || Date.now(), Date.now()]);
            else {
              if (typeof cb2 === "function")
                cb2.apply(this, arguments);
            }
          });
        }
      }
      var fs$readdir = fs3.readdir;
      fs3.readdir = readdir;
      var noReaddirOptionVersions = /^v[0-5]\./;
      function readdir(path, options, cb) {
        if (typeof options === "function")
          cb = options, options = null;
        var go$readdir = noReaddirOptionVersions.test(process.version) ? function go$readdir2(path2, options2, cb2, startTime) {
          return fs$readdir(path2, fs$readdirCallback(
            path2,
            options2,
            cb2,
            startTime
          ));
        } : function go$readdir2(path2, options2, cb2, startTime) {
          return fs$readdir(path2, options2, fs$readdirCallback(
            path2,
            options2,
            cb2,
            startTime
          ));
        };
        return go$readdir(path, options, cb);
        function fs$readdirCallback(path2, options2, cb2, startTime) {
          return function(err, files) {
            if (err && (err.code === "EMFILE" || err.code === "ENFILE"))
              enqueue([
                go$readdir,
                [path2, options2, cb2],
                err,
                startTime || Date.now(),
                Date.now()
              ]);
            else {
              if (files && files.sort)
                files.sort();
              if (typeof cb2 === "function")
                cb2.call(this, err, files);
            }
          };
        }
      }
      if (process.version.substr(0, 4) === "v0.8") {
        var legStreams = legacy(fs3);
        ReadStream = legStreams.ReadStream;
        WriteStream = legStreams.WriteStream;
      }
      var fs$ReadStream = fs3.ReadStream;
      if (fs$ReadStream) {
        ReadStream.prototype = Object.create(fs$ReadStream.prototype);
        ReadStream.prototype.open = ReadStream$open;
      }
      var fs$WriteStream = fs3.WriteStream;
      if (fs$WriteStream) {
        WriteStream.prototype = Object.create(fs$WriteStream.prototype);
        WriteStream.prototype.open = WriteStream$open;
      }
      Object.defineProperty(fs3, "ReadStream", {
        get: function() {
          return ReadStream;
        },
        set: function(val) {
          ReadStream = val;
        },
        enumerable: true,
        configurable: true
      });
      Object.defineProperty(fs3, "WriteStream", {
        get: function() {
          return WriteStream;
        },
        set: function(val) {
          WriteStream = val;
        },
        enumerable: true,
        configurable: true
      });
      var FileReadStream = ReadStream;
      Object.defineProperty(fs3, "FileReadStream", {
        get: function() {
          return FileReadStream;
        },
        set: function(val) {
          FileReadStream = val;
        },
        enumerable: true,
        configurable: true
      });
      var FileWriteStream = WriteStream;
      Object.defineProperty(fs3, "FileWriteStream", {
        get: function() {
          return FileWriteStream;
        },
        set: function(val) {
          FileWriteStream = val;
        },
        enumerable: true,
        configurable: true
      });
      function ReadStream(path, options) {
        if (this instanceof ReadStream)
          return fs$ReadStream.apply(this, arguments), this;
        else
          return ReadStream.apply(Object.create(ReadStream.prototype), arguments);
      }
      function ReadStream$open() {
        var that = this;
        open(that.path, that.flags, that.mode, function(err, fd) {
          if (err) {
            if (that.autoClose)
              that.destroy();
            that.emit("error", err);
          } else {
            that.fd = fd;
            that.emit("open", fd);
            that.read();
          }
        });
      }
      function WriteStream(path, options) {
        if (this instanceof WriteStream)
          return fs$WriteStream.apply(this, arguments), this;
        else
          return WriteStream.apply(Object.create(WriteStream.prototype), arguments);
      }
      function WriteStream$open() {
        var that = this;
        open(that.path, that.flags, that.mode, function(err, fd) {
          if (err) {
            that.destroy();
            that.emit("error", err);
          } else {
            that.fd = fd;
            that.emit("open", fd);
          }
        });
      }
      function createReadStream(path, options) {
        return new fs3.ReadStream(path, options);
      }
      function createWriteStream(path, options) {
        return new fs3.WriteStream(path, options);
      }
      var fs$open = fs3.open;
      fs3.open = open;
      function open(path, flags, mode, cb) {
        if (typeof mode === "function")
          cb = mode, mode = null;
        return go$open(path, flags, mode, cb);
        function go$open(path2, flags2, mode2, cb2, startTime) {
          return fs$open(path2, flags2, mode2, function(err, fd) {
            if (err && (err.code === "EMFILE" || err.code === "ENFILE"))
              enqueue([go$open, [path2, flags2, mode2, cb2], err, startTime || Date.now(), Date.now()]);
            else {
              if (typeof cb2 === "function")
                cb2.apply(this, arguments);
            }
          });
        }
      }
      return fs3;
    }
    function enqueue(elem) {
      debug("ENQUEUE", elem[0].name, elem[1]);
      fs2[gracefulQueue].push(elem);
      retry();
    }
    var retryTimer;
    function resetQueue() {
      var now = Date.now();
      for (var i = 0; i < fs2[gracefulQueue].length; ++i) {
        if (fs2[gracefulQueue][i].length > 2) {
          fs2[gracefulQueue][i][3] = now;
          fs2[gracefulQueue][i][4] = now;
        }
      }
      retry();
    }
    function retry() {
      clearTimeout(retryTimer);
      retryTimer = void 0;
      if (fs2[gracefulQueue].length === 0)
        return;
      var elem = fs2[gracefulQueue].shift();
      var fn = elem[0];
      var args = elem[1];
      var err = elem[2];
      var startTime = elem[3];
      var lastTime = elem[4];
      if (startTime === void 0) {
        debug("RETRY", fn.name, args);
        fn.apply(null, args);
      } else if (Date.now() - startTime >= 6e4) {
        debug("TIMEOUT", fn.name, args);
        var cb = args.pop();
        if (typeof cb === "function")
          cb.call(null, err);
      } else {
        var sinceAttempt = Date.now() - lastTime;
        var sinceStart = Math.max(lastTime - startTime, 1);
        var desiredDelay = Math.min(sinceStart * 1.2, 100);
        if (sinceAttempt >= desiredDelay) {
          debug("RETRY", fn.name, args);
          fn.apply(null, args.concat([startTime]));
        } else {
          fs2[gracefulQueue].push(elem);
        }
      }
      if (retryTimer === void 0) {
        retryTimer = setTimeout(retry, 0);
      }
    }
  }
});

// node_modules/retry/lib/retry_operation.js
var require_retry_operation = __commonJS({
  "node_modules/retry/lib/retry_operation.js"(exports2, module2) {
    function RetryOperation(timeouts, options) {
      if (typeof options === "boolean") {
        options = { forever: options };
      }
      this._originalTimeouts = JSON.parse(JSON.stringify(timeouts));
      this._timeouts = timeouts;
      this._options = options || {};
      this._maxRetryTime = options && options.maxRetryTime || Infinity;
      this._fn = null;
      this._errors = [];
      this._attempts = 1;
      this._operationTimeout = null;
      this._operationTimeoutCb = null;
      this._timeout = null;
      this._operationStart = null;
      if (this._options.forever) {
        this._cachedTimeouts = this._timeouts.slice(0);
      }
    }
    module2.exports = RetryOperation;
    RetryOperation.prototype.reset = function() {
      this._attempts = 1;
      this._timeouts = this._originalTimeouts;
    };
    RetryOperation.prototype.stop = function() {
      if (this._timeout) {
        clearTimeout(this._timeout);
      }
      this._timeouts = [];
      this._cachedTimeouts = null;
    };
    RetryOperation.prototype.retry = function(err) {
      if (this._timeout) {
        clearTimeout(this._timeout);
      }
      if (!err) {
        return false;
      }
      var currentTime = (/* @__PURE__ */ new Date()).getTime();
      if (err && currentTime - this._operationStart >= this._maxRetryTime) {
        this._errors.unshift(new Error("RetryOperation timeout occurred"));
        return false;
      }
      this._errors.push(err);
      var timeout = this._timeouts.shift();
      if (timeout === void 0) {
        if (this._cachedTimeouts) {
          this._errors.splice(this._errors.length - 1, this._errors.length);
          this._timeouts = this._cachedTimeouts.slice(0);
          timeout = this._timeouts.shift();
        } else {
          return false;
        }
      }
      var self = this;
      var timer = setTimeout(function() {
        self._attempts++;
        if (self._operationTimeoutCb) {
          self._timeout = setTimeout(function() {
            self._operationTimeoutCb(self._attempts);
          }, self._operationTimeout);
          if (self._options.unref) {
            self._timeout.unref();
          }
        }
        self._fn(self._attempts);
      }, timeout);
      if (this._options.unref) {
        timer.unref();
      }
      return true;
    };
    RetryOperation.prototype.attempt = function(fn, timeoutOps) {
      this._fn = fn;
      if (timeoutOps) {
        if (timeoutOps.timeout) {
          this._operationTimeout = timeoutOps.timeout;
        }
        if (timeoutOps.cb) {
          this._operationTimeoutCb = timeoutOps.cb;
        }
      }
      var self = this;
      if (this._operationTimeoutCb) {
        this._timeout = setTimeout(function() {
          self._operationTimeoutCb();
        }, self._operationTimeout);
      }
      this._operationStart = (/* @__PURE__ */ new Date()).getTime();
      this._fn(this._attempts);
    };
    RetryOperation.prototype.try = function(fn) {
      console.log("Using RetryOperation.try() is deprecated");
      this.attempt(fn);
    };
    RetryOperation.prototype.start = function(fn) {
      console.log("Using RetryOperation.start() is deprecated");
      this.attempt(fn);
    };
    RetryOperation.prototype.start = RetryOperation.prototype.try;
    RetryOperation.prototype.errors = function() {
      return this._errors;
    };
    RetryOperation.prototype.attempts = function() {
      return this._attempts;
    };
    RetryOperation.prototype.mainError = function() {
      if (this._errors.length === 0) {
        return null;
      }
      var counts = {};
      var mainError = null;
      var mainErrorCount = 0;
      for (var i = 0; i < this._errors.length; i++) {
        var error = this._errors[i];
        var message = error.message;
        var count4 = (counts[message] || 0) + 1;
        counts[message] = count4;
        if (count4 >= mainErrorCount) {
          mainError = error;
          mainErrorCount = count4;
        }
      }
      return mainError;
    };
  }
});

// node_modules/retry/lib/retry.js
var require_retry = __commonJS({
  "node_modules/retry/lib/retry.js"(exports2) {
    var RetryOperation = require_retry_operation();
    exports2.operation = function(options) {
      var timeouts = exports2.timeouts(options);
      return new RetryOperation(timeouts, {
        forever: options && options.forever,
        unref: options && options.unref,
        maxRetryTime: options && options.maxRetryTime
      });
    };
    exports2.timeouts = function(options) {
      if (options instanceof Array) {
        return [].concat(options);
      }
      var opts = {
        retries: 10,
        factor: 2,
        minTimeout: 1 * 1e3,
        maxTimeout: Infinity,
        randomize: false
      };
      for (var key2 in options) {
        opts[key2] = options[key2];
      }
      if (opts.minTimeout > opts.maxTimeout) {
        throw new Error("minTimeout is greater than maxTimeout");
      }
      var timeouts = [];
      for (var i = 0; i < opts.retries; i++) {
        timeouts.push(this.createTimeout(i, opts));
      }
      if (options && options.forever && !timeouts.length) {
        timeouts.push(this.createTimeout(i, opts));
      }
      timeouts.sort(function(a, b) {
        return a - b;
      });
      return timeouts;
    };
    exports2.createTimeout = function(attempt, opts) {
      var random = opts.randomize ? Math.random() + 1 : 1;
      var timeout = Math.round(random * opts.minTimeout * Math.pow(opts.factor, attempt));
      timeout = Math.min(timeout, opts.maxTimeout);
      return timeout;
    };
    exports2.wrap = function(obj, options, methods) {
      if (options instanceof Array) {
        methods = options;
        options = null;
      }
      if (!methods) {
        methods = [];
        for (var key2 in obj) {
          if (typeof obj[key2] === "function") {
            methods.push(key2);
          }
        }
      }
      for (var i = 0; i < methods.length; i++) {
        var method = methods[i];
        var original = obj[method];
        obj[method] = function retryWrapper(original2) {
          var op = exports2.operation(options);
          var args = Array.prototype.slice.call(arguments, 1);
          var callback = args.pop();
          args.push(function(err) {
            if (op.retry(err)) {
              return;
            }
            if (err) {
              arguments[0] = op.mainError();
            }
            callback.apply(this, arguments);
          });
          op.attempt(function() {
            original2.apply(obj, args);
          });
        }.bind(obj, original);
        obj[method].options = options;
      }
    };
  }
});

// node_modules/retry/index.js
var require_retry2 = __commonJS({
  "node_modules/retry/index.js"(exports2, module2) {
    module2.exports = require_retry();
  }
});

// node_modules/signal-exit/signals.js
var require_signals2 = __commonJS({
  "node_modules/signal-exit/signals.js"(exports2, module2) {
    module2.exports = [
      "SIGABRT",
      "SIGALRM",
      "SIGHUP",
      "SIGINT",
      "SIGTERM"
    ];
    if (process.platform !== "win32") {
      module2.exports.push(
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
      module2.exports.push(
        "SIGIO",
        "SIGPOLL",
        "SIGPWR",
        "SIGSTKFLT",
        "SIGUNUSED"
      );
    }
  }
});

// node_modules/signal-exit/index.js
var require_signal_exit = __commonJS({
  "node_modules/signal-exit/index.js"(exports2, module2) {
    var process2 = global.process;
    var processOk = function(process3) {
      return process3 && typeof process3 === "object" && typeof process3.removeListener === "function" && typeof process3.emit === "function" && typeof process3.reallyExit === "function" && typeof process3.listeners === "function" && typeof process3.kill === "function" && typeof process3.pid === "number" && typeof process3.on === "function";
    };
    if (!processOk(process2)) {
      module2.exports = function() {
        return function() {
        };
      };
    } else {
      assert = require("assert");
      signals3 = require_signals2();
      isWin = /^win/i.test(process2.platform);
      EE = require("events");
      if (typeof EE !== "function") {
        EE = EE.EventEmitter;
      }
      if (process2.__signal_exit_emitter__) {
        emitter = process2.__signal_exit_emitter__;
      } else {
        emitter = process2.__signal_exit_emitter__ = new EE();
        emitter.count = 0;
        emitter.emitted = {};
      }
      if (!emitter.infinite) {
        emitter.setMaxListeners(Infinity);
        emitter.infinite = true;
      }
      module2.exports = function(cb, opts) {
        if (!processOk(global.process)) {
          return function() {
          };
        }
        assert.equal(typeof cb, "function", "a callback must be provided for exit handler");
        if (loaded === false) {
          load();
        }
        var ev = "exit";
        if (opts && opts.alwaysLast) {
          ev = "afterexit";
        }
        var remove = function() {
          emitter.removeListener(ev, cb);
          if (emitter.listeners("exit").length === 0 && emitter.listeners("afterexit").length === 0) {
            unload();
          }
        };
        emitter.on(ev, cb);
        return remove;
      };
      unload = function unload2() {
        if (!loaded || !processOk(global.process)) {
          return;
        }
        loaded = false;
        signals3.forEach(function(sig) {
          try {
            process2.removeListener(sig, sigListeners[sig]);
          } catch (er) {
          }
        });
        process2.emit = originalProcessEmit;
        process2.reallyExit = originalProcessReallyExit;
        emitter.count -= 1;
      };
      module2.exports.unload = unload;
      emit = function emit2(event, code, signal) {
        if (emitter.emitted[event]) {
          return;
        }
        emitter.emitted[event] = true;
        emitter.emit(event, code, signal);
      };
      sigListeners = {};
      signals3.forEach(function(sig) {
        sigListeners[sig] = function listener2() {
          if (!processOk(global.process)) {
            return;
          }
          var listeners = process2.listeners(sig);
          if (listeners.length === emitter.count) {
            unload();
            emit("exit", null, sig);
            emit("afterexit", null, sig);
            if (isWin && sig === "SIGHUP") {
              sig = "SIGINT";
            }
            process2.kill(process2.pid, sig);
          }
        };
      });
      module2.exports.signals = function() {
        return signals3;
      };
      loaded = false;
      load = function load2() {
        if (loaded || !processOk(global.process)) {
          return;
        }
        loaded = true;
        emitter.count += 1;
        signals3 = signals3.filter(function(sig) {
          try {
            process2.on(sig, sigListeners[sig]);
            return true;
          } catch (er) {
            return false;
          }
        });
        process2.emit = processEmit;
        process2.reallyExit = processReallyExit;
      };
      module2.exports.load = load;
      originalProcessReallyExit = process2.reallyExit;
      processReallyExit = function processReallyExit2(code) {
        if (!processOk(global.process)) {
          return;
        }
        process2.exitCode = code || /* istanbul ignore next */
        0;
        emit("exit", process2.exitCode, null);
        emit("afterexit", process2.exitCode, null);
        originalProcessReallyExit.call(process2, process2.exitCode);
      };
      originalProcessEmit = process2.emit;
      processEmit = function processEmit2(ev, arg) {
        if (ev === "exit" && processOk(global.process)) {
          if (arg !== void 0) {
            process2.exitCode = arg;
          }
          var ret = originalProcessEmit.apply(this, arguments);
          emit("exit", process2.exitCode, null);
          emit("afterexit", process2.exitCode, null);
          return ret;
        } else {
          return originalProcessEmit.apply(this, arguments);
        }
      };
    }
    var assert;
    var signals3;
    var isWin;
    var EE;
    var emitter;
    var unload;
    var emit;
    var sigListeners;
    var loaded;
    var load;
    var originalProcessReallyExit;
    var processReallyExit;
    var originalProcessEmit;
    var processEmit;
  }
});

// node_modules/proper-lockfile/lib/mtime-precision.js
var require_mtime_precision = __commonJS({
  "node_modules/proper-lockfile/lib/mtime-precision.js"(exports2, module2) {
    "use strict";
    var cacheSymbol = /* @__PURE__ */ Symbol();
    function probe(file, fs2, callback) {
      const cachedPrecision = fs2[cacheSymbol];
      if (cachedPrecision) {
        return fs2.stat(file, (err, stat) => {
          if (err) {
            return callback(err);
          }
          callback(null, stat.mtime, cachedPrecision);
        });
      }
      const mtime = new Date(Math.ceil(Date.now() / 1e3) * 1e3 + 5);
      fs2.utimes(file, mtime, mtime, (err) => {
        if (err) {
          return callback(err);
        }
        fs2.stat(file, (err2, stat) => {
          if (err2) {
            return callback(err2);
          }
          const precision = stat.mtime.getTime() % 1e3 === 0 ? "s" : "ms";
          Object.defineProperty(fs2, cacheSymbol, { value: precision });
          callback(null, stat.mtime, precision);
        });
      });
    }
    function getMtime(precision) {
      let now = Date.now();
      if (precision === "s") {
        now = Math.ceil(now / 1e3) * 1e3;
      }
      return new Date(now);
    }
    module2.exports.probe = probe;
    module2.exports.getMtime = getMtime;
  }
});

// node_modules/proper-lockfile/lib/lockfile.js
var require_lockfile = __commonJS({
  "node_modules/proper-lockfile/lib/lockfile.js"(exports2, module2) {
    "use strict";
    var path = require("path");
    var fs2 = require_graceful_fs();
    var retry = require_retry2();
    var onExit = require_signal_exit();
    var mtimePrecision = require_mtime_precision();
    var locks = {};
    function getLockFile(file, options) {
      return options.lockfilePath || `${file}.lock`;
    }
    function resolveCanonicalPath(file, options, callback) {
      if (!options.realpath) {
        return callback(null, path.resolve(file));
      }
      options.fs.realpath(file, callback);
    }
    function acquireLock(file, options, callback) {
      const lockfilePath = getLockFile(file, options);
      options.fs.mkdir(lockfilePath, (err) => {
        if (!err) {
          return mtimePrecision.probe(lockfilePath, options.fs, (err2, mtime, mtimePrecision2) => {
            if (err2) {
              options.fs.rmdir(lockfilePath, () => {
              });
              return callback(err2);
            }
            callback(null, mtime, mtimePrecision2);
          });
        }
        if (err.code !== "EEXIST") {
          return callback(err);
        }
        if (options.stale <= 0) {
          return callback(Object.assign(new Error("Lock file is already being held"), { code: "ELOCKED", file }));
        }
        options.fs.stat(lockfilePath, (err2, stat) => {
          if (err2) {
            if (err2.code === "ENOENT") {
              return acquireLock(file, { ...options, stale: 0 }, callback);
            }
            return callback(err2);
          }
          if (!isLockStale(stat, options)) {
            return callback(Object.assign(new Error("Lock file is already being held"), { code: "ELOCKED", file }));
          }
          removeLock(file, options, (err3) => {
            if (err3) {
              return callback(err3);
            }
            acquireLock(file, { ...options, stale: 0 }, callback);
          });
        });
      });
    }
    function isLockStale(stat, options) {
      return stat.mtime.getTime() < Date.now() - options.stale;
    }
    function removeLock(file, options, callback) {
      options.fs.rmdir(getLockFile(file, options), (err) => {
        if (err && err.code !== "ENOENT") {
          return callback(err);
        }
        callback();
      });
    }
    function updateLock(file, options) {
      const lock3 = locks[file];
      if (lock3.updateTimeout) {
        return;
      }
      lock3.updateDelay = lock3.updateDelay || options.update;
      lock3.updateTimeout = setTimeout(() => {
        lock3.updateTimeout = null;
        options.fs.stat(lock3.lockfilePath, (err, stat) => {
          const isOverThreshold = lock3.lastUpdate + options.stale < Date.now();
          if (err) {
            if (err.code === "ENOENT" || isOverThreshold) {
              return setLockAsCompromised(file, lock3, Object.assign(err, { code: "ECOMPROMISED" }));
            }
            lock3.updateDelay = 1e3;
            return updateLock(file, options);
          }
          const isMtimeOurs = lock3.mtime.getTime() === stat.mtime.getTime();
          if (!isMtimeOurs) {
            return setLockAsCompromised(
              file,
              lock3,
              Object.assign(
                new Error("Unable to update lock within the stale threshold"),
                { code: "ECOMPROMISED" }
              )
            );
          }
          const mtime = mtimePrecision.getMtime(lock3.mtimePrecision);
          options.fs.utimes(lock3.lockfilePath, mtime, mtime, (err2) => {
            const isOverThreshold2 = lock3.lastUpdate + options.stale < Date.now();
            if (lock3.released) {
              return;
            }
            if (err2) {
              if (err2.code === "ENOENT" || isOverThreshold2) {
                return setLockAsCompromised(file, lock3, Object.assign(err2, { code: "ECOMPROMISED" }));
              }
              lock3.updateDelay = 1e3;
              return updateLock(file, options);
            }
            lock3.mtime = mtime;
            lock3.lastUpdate = Date.now();
            lock3.updateDelay = null;
            updateLock(file, options);
          });
        });
      }, lock3.updateDelay);
      if (lock3.updateTimeout.unref) {
        lock3.updateTimeout.unref();
      }
    }
    function setLockAsCompromised(file, lock3, err) {
      lock3.released = true;
      if (lock3.updateTimeout) {
        clearTimeout(lock3.updateTimeout);
      }
      if (locks[file] === lock3) {
        delete locks[file];
      }
      lock3.options.onCompromised(err);
    }
    function lock2(file, options, callback) {
      options = {
        stale: 1e4,
        update: null,
        realpath: true,
        retries: 0,
        fs: fs2,
        onCompromised: (err) => {
          throw err;
        },
        ...options
      };
      options.retries = options.retries || 0;
      options.retries = typeof options.retries === "number" ? { retries: options.retries } : options.retries;
      options.stale = Math.max(options.stale || 0, 2e3);
      options.update = options.update == null ? options.stale / 2 : options.update || 0;
      options.update = Math.max(Math.min(options.update, options.stale / 2), 1e3);
      resolveCanonicalPath(file, options, (err, file2) => {
        if (err) {
          return callback(err);
        }
        const operation = retry.operation(options.retries);
        operation.attempt(() => {
          acquireLock(file2, options, (err2, mtime, mtimePrecision2) => {
            if (operation.retry(err2)) {
              return;
            }
            if (err2) {
              return callback(operation.mainError());
            }
            const lock3 = locks[file2] = {
              lockfilePath: getLockFile(file2, options),
              mtime,
              mtimePrecision: mtimePrecision2,
              options,
              lastUpdate: Date.now()
            };
            updateLock(file2, options);
            callback(null, (releasedCallback) => {
              if (lock3.released) {
                return releasedCallback && releasedCallback(Object.assign(new Error("Lock is already released"), { code: "ERELEASED" }));
              }
              unlock(file2, { ...options, realpath: false }, releasedCallback);
            });
          });
        });
      });
    }
    function unlock(file, options, callback) {
      options = {
        fs: fs2,
        realpath: true,
        ...options
      };
      resolveCanonicalPath(file, options, (err, file2) => {
        if (err) {
          return callback(err);
        }
        const lock3 = locks[file2];
        if (!lock3) {
          return callback(Object.assign(new Error("Lock is not acquired/owned by you"), { code: "ENOTACQUIRED" }));
        }
        lock3.updateTimeout && clearTimeout(lock3.updateTimeout);
        lock3.released = true;
        delete locks[file2];
        removeLock(file2, options, callback);
      });
    }
    function check2(file, options, callback) {
      options = {
        stale: 1e4,
        realpath: true,
        fs: fs2,
        ...options
      };
      options.stale = Math.max(options.stale || 0, 2e3);
      resolveCanonicalPath(file, options, (err, file2) => {
        if (err) {
          return callback(err);
        }
        options.fs.stat(getLockFile(file2, options), (err2, stat) => {
          if (err2) {
            return err2.code === "ENOENT" ? callback(null, false) : callback(err2);
          }
          return callback(null, !isLockStale(stat, options));
        });
      });
    }
    function getLocks() {
      return locks;
    }
    onExit(() => {
      for (const file in locks) {
        const options = locks[file].options;
        try {
          options.fs.rmdirSync(getLockFile(file, options));
        } catch (e) {
        }
      }
    });
    module2.exports.lock = lock2;
    module2.exports.unlock = unlock;
    module2.exports.check = check2;
    module2.exports.getLocks = getLocks;
  }
});

// node_modules/proper-lockfile/lib/adapter.js
var require_adapter = __commonJS({
  "node_modules/proper-lockfile/lib/adapter.js"(exports2, module2) {
    "use strict";
    var fs2 = require_graceful_fs();
    function createSyncFs(fs3) {
      const methods = ["mkdir", "realpath", "stat", "rmdir", "utimes"];
      const newFs = { ...fs3 };
      methods.forEach((method) => {
        newFs[method] = (...args) => {
          const callback = args.pop();
          let ret;
          try {
            ret = fs3[`${method}Sync`](...args);
          } catch (err) {
            return callback(err);
          }
          callback(null, ret);
        };
      });
      return newFs;
    }
    function toPromise(method) {
      return (...args) => new Promise((resolve3, reject) => {
        args.push((err, result) => {
          if (err) {
            reject(err);
          } else {
            resolve3(result);
          }
        });
        method(...args);
      });
    }
    function toSync(method) {
      return (...args) => {
        let err;
        let result;
        args.push((_err, _result) => {
          err = _err;
          result = _result;
        });
        method(...args);
        if (err) {
          throw err;
        }
        return result;
      };
    }
    function toSyncOptions(options) {
      options = { ...options };
      options.fs = createSyncFs(options.fs || fs2);
      if (typeof options.retries === "number" && options.retries > 0 || options.retries && typeof options.retries.retries === "number" && options.retries.retries > 0) {
        throw Object.assign(new Error("Cannot use retries with the sync api"), { code: "ESYNC" });
      }
      return options;
    }
    module2.exports = {
      toPromise,
      toSync,
      toSyncOptions
    };
  }
});

// node_modules/proper-lockfile/index.js
var require_proper_lockfile = __commonJS({
  "node_modules/proper-lockfile/index.js"(exports2, module2) {
    "use strict";
    var lockfile = require_lockfile();
    var { toPromise, toSync, toSyncOptions } = require_adapter();
    async function lock2(file, options) {
      const release = await toPromise(lockfile.lock)(file, options);
      return toPromise(release);
    }
    function lockSync(file, options) {
      const release = toSync(lockfile.lock)(file, toSyncOptions(options));
      return toSync(release);
    }
    function unlock(file, options) {
      return toPromise(lockfile.unlock)(file, options);
    }
    function unlockSync(file, options) {
      return toSync(lockfile.unlock)(file, toSyncOptions(options));
    }
    function check2(file, options) {
      return toPromise(lockfile.check)(file, options);
    }
    function checkSync(file, options) {
      return toSync(lockfile.check)(file, toSyncOptions(options));
    }
    module2.exports = lock2;
    module2.exports.lock = lock2;
    module2.exports.unlock = unlock;
    module2.exports.lockSync = lockSync;
    module2.exports.unlockSync = unlockSync;
    module2.exports.check = check2;
    module2.exports.checkSync = checkSync;
  }
});

// src/worker/thread.ts
var thread_exports = {};
module.exports = __toCommonJS(thread_exports);
var import_node_path15 = require("node:path");
var import_node_worker_threads = require("node:worker_threads");

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
  const text2 = `${stateDir}
${process.execPath}
`;
  if (process.platform === "win32" || text2.split("\n").length !== 3) return;
  const path = (0, import_node_path2.join)(distDir, pointerName);
  try {
    if ((0, import_node_fs2.readFileSync)(path, "utf8") === text2) return;
  } catch {
  }
  try {
    const mine = `${path}.${process.pid}`;
    (0, import_node_fs2.writeFileSync)(mine, text2, { mode: privateFile });
    (0, import_node_fs2.renameSync)(mine, path);
  } catch {
  }
}

// src/queue/wake.ts
var import_node_fs4 = require("node:fs");
var import_node_path3 = require("node:path");

// src/shared/errors.ts
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
function codeOf(error) {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
function stackOf(error) {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
var isFileError = (error) => /^E(?!RR_)[A-Z0-9]+$/.test(codeOf(error));
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

// src/shared/process.ts
var import_node_fs3 = require("node:fs");
var stateField = 0;
var startField = 19;
function statOf(pid) {
  try {
    const text2 = (0, import_node_fs3.readFileSync)(`/proc/${pid}/stat`, "utf8");
    return text2.slice(text2.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
function readName(path) {
  try {
    const [pid = "", ticks = ""] = (0, import_node_fs3.readFileSync)(path, "utf8").trim().split(" ");
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
    if ((0, import_node_fs4.statSync)(alive).mtimeMs <= (0, import_node_fs4.statSync)(event).mtimeMs) return false;
  } catch {
    return !(0, import_node_fs4.existsSync)(event);
  }
  const name = readName(alive);
  return name !== null && isRunning(name);
}
function claimStart(stateDir) {
  const slot = Math.floor(Date.now() / slotMs);
  for (let n = 0; n < mostTriesPerSlot; n++) {
    const claim = (0, import_node_path3.join)(stateDir, `starting-${slot}-${n}`);
    try {
      (0, import_node_fs4.writeFileSync)(claim, `${process.pid}
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
    const child = spawn(process.execPath, [(0, import_node_path3.join)(distDir, "worker.js"), stateDir, pluginDir], {
      cwd: stateDir,
      detached: true,
      stdio: "ignore",
      windowsHide: true
    });
    child.on("error", () => {
    });
    child.unref();
    if (child.pid) (0, import_node_fs4.writeFileSync)(claim, `${child.pid}
`, { mode: privateFile });
  };
}
function removeQuietly(path) {
  try {
    (0, import_node_fs4.unlinkSync)(path);
  } catch {
  }
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

// src/worker/file-log.ts
var import_node_fs5 = require("node:fs");

// src/shared/secrets.ts
var known = /* @__PURE__ */ new Set();
var cookies = /* @__PURE__ */ new Set();
var mostCookies = 500;
var shortestSecret = 6;
function registerSecret(secret) {
  register(secret, known);
}
function registerCookie(cookie) {
  register(cookie, cookies);
  for (const oldest of cookies) {
    if (cookies.size <= mostCookies) break;
    cookies.delete(oldest);
  }
}
function register(secret, among2) {
  if (!secret || secret.length < shortestSecret) return;
  for (const form of [secret, encodeURIComponent(secret.toWellFormed())]) {
    among2.delete(form);
    among2.add(form);
  }
}
function redact(text2) {
  let clean2 = text2;
  const longestFirst = [...known].sort((a, b) => b.length - a.length);
  for (const secret of [...longestFirst, ...cookies]) clean2 = clean2.replaceAll(secret, "***");
  return clean2.replace(/(:\/\/)[^/\s@]+@/g, "$1***@").replace(/(X-Plex-Token=|apikey=)[^&\s"']+/gi, "$1***");
}

// src/worker/file-log.ts
var largestBytes = 1024 * 1024;
var oldLogs = 3;
var mostUnsaid = 50;
var FileLog = class {
  constructor(path, clock, withDebug = false) {
    this.path = path;
    this.clock = clock;
    this.withDebug = withDebug;
  }
  path;
  clock;
  withDebug;
  #unsaid = [];
  debug(message) {
    if (this.withDebug) this.#write("debug", message);
  }
  info(message) {
    this.#write("info", message);
  }
  warn(message) {
    this.#write("warn", message);
  }
  error(message) {
    this.#write("error", message);
  }
  #write(level, message) {
    const text2 = redact(message).replace(/\s*\n\s*/g, " | ");
    const line = `${iso(this.clock.now())} ${level.padEnd(5)} ${text2}
`;
    try {
      this.#rotate();
      (0, import_node_fs5.appendFileSync)(this.path, this.#unsaid.join("") + line, { mode: privateFile });
      this.#unsaid = [];
    } catch {
      if (this.#unsaid.length < mostUnsaid) this.#unsaid.push(line);
    }
  }
  #rotate() {
    try {
      if ((0, import_node_fs5.statSync)(this.path).size < largestBytes) return;
    } catch {
      return;
    }
    for (let n = oldLogs - 1; n >= 0; n--) {
      try {
        (0, import_node_fs5.renameSync)(n === 0 ? this.path : `${this.path}.${n}`, `${this.path}.${n + 1}`);
      } catch {
      }
    }
  }
};

// src/worker/worker.ts
var import_node_crypto3 = require("node:crypto");

// src/persist/set-aside.ts
var import_node_fs6 = require("node:fs");
var import_node_path4 = require("node:path");
var NewerState = class extends Error {
  constructor(path) {
    super(
      `${path} was written by a newer version of Sluice. Nothing was changed and nothing is sent to Plex; install that version again. Edits are still recorded meanwhile.`
    );
  }
};
var brokenName = (path, now) => `${path}.broken-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
function keepCopy(path, now, log) {
  try {
    (0, import_node_fs6.copyFileSync)(path, brokenName(path, now));
  } catch (error) {
    log.warn(`A copy of the damaged ${path} could not be kept: ${describeFileError(error)}.`);
  }
}
function setAside(path, why, consequence2, now, log) {
  const kept = brokenName(path, now);
  try {
    (0, import_node_fs6.renameSync)(path, kept);
  } catch {
    log.warn(`${path} cannot be used (${why}) and could not be moved aside. ${consequence2}`);
    return;
  }
  log.warn(`${path} cannot be used (${why}). It was kept as ${(0, import_node_path4.basename)(kept)}. ${consequence2}`);
}

// src/queue/fold.ts
var import_node_fs9 = require("node:fs");
var import_node_path7 = require("node:path");

// src/shared/crash-points.ts
var import_node_fs7 = require("node:fs");
var signals = {};
for (const point of (process.env.SLUICE_STOP_AT ?? "").split(",").filter(Boolean)) signals[point] = "SIGSTOP";
if (process.env.SLUICE_CRASH_AT) signals[process.env.SLUICE_CRASH_AT] = "SIGKILL";
function obey(point) {
  const signal = signals[point];
  if (!signal) return;
  if (process.env.SLUICE_STOPPED) (0, import_node_fs7.writeFileSync)(process.env.SLUICE_STOPPED, point);
  process.kill(process.pid, signal);
}
var listener = Object.keys(signals).length > 0 ? obey : null;
function crashPoint(point) {
  if (listener) listener(point);
}

// src/queue/inbox.ts
var import_node_fs8 = require("node:fs");
var import_node_path5 = require("node:path");
var finished = ".json";
var unfinished = ".part";
function leaveInInbox(inbox, text2) {
  (0, import_node_fs8.mkdirSync)(inbox, { recursive: true, mode: privateFolder });
  const { fd, name } = createNew(inbox);
  const part = (0, import_node_path5.join)(inbox, name + unfinished);
  try {
    try {
      const bytes = Buffer.from(text2);
      for (let done = 0; done < bytes.length; ) done += (0, import_node_fs8.writeSync)(fd, bytes, done);
      (0, import_node_fs8.fsyncSync)(fd);
    } finally {
      (0, import_node_fs8.closeSync)(fd);
    }
    (0, import_node_fs8.renameSync)(part, (0, import_node_path5.join)(inbox, name + finished));
  } catch (error) {
    (0, import_node_fs8.unlinkSync)(part);
    throw error;
  }
  return (0, import_node_path5.join)(inbox, name + finished);
}
function inboxNames(inbox) {
  try {
    return (0, import_node_fs8.readdirSync)(inbox).filter((name) => name.endsWith(finished) || name.endsWith(unfinished));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return [];
  }
}
function createNew(inbox) {
  for (; ; ) {
    const name = `${Date.now()}-${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
    try {
      return { name, fd: (0, import_node_fs8.openSync)((0, import_node_path5.join)(inbox, name + unfinished), "wx", privateFile) };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

// src/stash/connection.ts
var import_node_path6 = require("node:path");
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
var connectionVersion = 1;
function parseConnectionDocument(value) {
  const at = reader(value, "connection.json");
  if (at.optional("version") !== connectionVersion) throw new Error("connection.json: unknown version");
  const cookie = at.optional("cookie");
  return {
    scheme: schemeOf(at.text("scheme"), "connection.json.scheme"),
    host: at.text("host"),
    port: at.port("port"),
    cookie: cookie === null ? null : cookieOf(reader(cookie, "connection.json.cookie"), "name", "value"),
    dir: at.filled("dir"),
    pluginDir: at.filled("pluginDir")
  };
}
function baseUrl(connection) {
  const host = callableHost(connection);
  return `${connection.scheme}://${host.includes(":") ? `[${host}]` : host}:${connection.port}`;
}
function isLoopback(connection) {
  const host = callableHost(connection).toLowerCase();
  return host === "localhost" || host === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(host);
}
function callableHost({ host }) {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return ["", "0.0.0.0", "::"].includes(bare) ? "127.0.0.1" : bare;
}
var absolute = (path, instead) => instead === void 0 || (0, import_node_path6.isAbsolute)(path) ? (0, import_node_path6.resolve)(path) : instead;
function reader(value, name) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${name} is missing`);
  const object2 = { ...value };
  const required = (key2) => {
    if (object2[key2] === void 0 || object2[key2] === null) throw new Error(`${name}.${key2} is missing`);
    return object2[key2];
  };
  const text2 = (key2) => {
    const found = required(key2);
    if (typeof found !== "string") throw new Error(`${name}.${key2} is not text`);
    return found;
  };
  return {
    optional: (key2) => object2[key2] ?? null,
    text: text2,
    filled: (key2) => {
      const found = text2(key2);
      if (found === "") throw new Error(`${name}.${key2} is empty`);
      return found;
    },
    port: (key2) => {
      const found = required(key2);
      if (typeof found === "number" && Number.isInteger(found) && found > 0 && found < 65536) return found;
      throw new Error(`${name}.${key2} is not a port number`);
    }
  };
}
function schemeOf(text2, name) {
  if (text2 === "http" || text2 === "https") return text2;
  throw new Error(`${name} is neither http nor https`);
}
function cookieOf(at, nameKey2, valueKey) {
  const name = at.filled(nameKey2);
  const value = at.text(valueKey);
  return value === "" ? null : { name, value };
}

// src/queue/inbox-message.ts
var BadInput = class extends Error {
};
var ownMutationId = "sluice";
var known2 = {
  Scene: ["Create", "Update", "Destroy"],
  Performer: ["Update", "Destroy"],
  Studio: ["Update", "Destroy"],
  Tag: ["Update", "Destroy", "Merge"],
  Group: ["Update", "Destroy"]
};
var hookTypes = Object.entries(known2).flatMap(
  ([object2, actions]) => actions.map((action) => `${object2}.${action}.Post`)
);
function parseInboxMessage(text2, own) {
  const input = parseStashInput(text2);
  const connection = connectionOf(input, own);
  const { sluice } = input;
  if (isObject(sluice)) return { type: "command", connection, command: parseCommand(sluice) };
  return { type: "event", connection, event: parseEvent(input) };
}
function parseStashInput(text2) {
  if (text2.trim() === "") throw new BadInput("the input is empty: Stash sent nothing");
  let input;
  try {
    input = JSON.parse(text2);
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
  const [object2, action] = type.split(".");
  const id2 = idOf(context.id);
  if (id2 === null)
    throw new BadInput(`the hook's id is ${JSON.stringify(context.id)}, which is not a number`);
  const named4 = namedIds(context.input);
  const fields3 = context.inputFields;
  return {
    object: object2,
    action,
    ids: named4[0] === id2 ? Array.from(new Set(named4)) : [id2],
    bulk: named4.length !== 1,
    fields: Array.isArray(fields3) ? fields3.filter((field2) => typeof field2 === "string") : null,
    merged: action === "Merge" ? mergedIds(context.input) : [],
    ours: isObject(context.input) && context.input.clientMutationId === ownMutationId
  };
}
function namedIds(input) {
  let named4 = [];
  if (Array.isArray(input)) named4 = input.map((one) => isObject(one) ? one.id : one);
  else if (isObject(input) && Array.isArray(input.ids)) named4 = input.ids;
  else if (isObject(input)) named4 = [input.id];
  return named4.map(idOf).filter((id2) => id2 !== null);
}
function mergedIds(input) {
  const sources = isObject(input) && Array.isArray(input.source) ? input.source : [];
  return sources.map(idOf).filter((id2) => id2 !== null);
}
function idOf(value) {
  if (typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
function parseCommand({ command, id: id2, args }) {
  if (typeof command !== "string" || typeof id2 !== "string" || !/^[\w-]{1,64}$/.test(id2)) {
    throw new BadInput("the command has no name or no id");
  }
  return { name: command, id: id2, args: isObject(args) ? args : {} };
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/queue/fold.ts
var abandonedAfterMs = 6e4;
var batchSize = 500;
var mostRejected = 100;
var rejectedKeptMs = 30 * 24 * 36e5;
var InboxReader = class {
  constructor(paths, pluginDir, receiver, clock, log) {
    this.paths = paths;
    this.pluginDir = pluginDir;
    this.receiver = receiver;
    this.clock = clock;
    this.log = log;
  }
  paths;
  pluginDir;
  receiver;
  clock;
  log;
  #firstSeen = /* @__PURE__ */ new Map();
  #stuck = /* @__PURE__ */ new Set();
  /** How many files wait, finished or not. */
  count() {
    return this.#names().length;
  }
  /** Folds everything that is there. Returns how many files that were. */
  async fold() {
    this.#lookAfterUnfinished();
    const files = this.#inOrder();
    for (let start = 0; start < files.length; start += batchSize) {
      await this.#foldBatch(files.slice(start, start + batchSize));
    }
    return files.length;
  }
  async #foldBatch(files) {
    let told2 = [];
    for (const { name, at } of files) {
      const message = this.#read(name);
      if (message === null) continue;
      if (message.type === "event") {
        this.receiver.connection(message.connection, at);
        if (!message.event.ours) this.receiver.event(message.event);
        told2.push(name);
        continue;
      }
      await this.#confirm(told2);
      told2 = [];
      this.receiver.connection(message.connection, at);
      await this.receiver.command(message.command);
      await this.#confirm([name]);
    }
    await this.#confirm(told2);
  }
  async #confirm(names3) {
    if (names3.length === 0) return;
    crashPoint("fold.told");
    await this.receiver.flush();
    crashPoint("fold.flushed");
    for (const name of names3) {
      (0, import_node_fs9.rmSync)((0, import_node_path7.join)(this.paths.inbox, name), { force: true });
      crashPoint("fold.deleted");
    }
  }
  /** Null: there is nothing to fold in it, and it has been dealt with. */
  #read(name) {
    const path = (0, import_node_path7.join)(this.paths.inbox, name);
    let text2;
    try {
      text2 = (0, import_node_fs9.readFileSync)(path, "utf8");
    } catch (error) {
      if (codeOf(error) !== "ENOENT") this.#reject(name, `it cannot be read: ${describeFileError(error)}`);
      return null;
    }
    try {
      const message = parseInboxMessage(text2, { dir: (0, import_node_path7.dirname)(this.paths.root), pluginDir: this.pluginDir });
      if (!this.receiver.passOn(message.connection, text2)) return message;
      (0, import_node_fs9.rmSync)(path, { force: true });
      return null;
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.#reject(name, messageOf(error));
      return null;
    }
  }
  #lookAfterUnfinished() {
    const now = this.clock.now();
    const parts = new Set(this.#names().filter((name) => name.endsWith(unfinished)));
    for (const name of this.#firstSeen.keys()) if (!parts.has(name)) this.#firstSeen.delete(name);
    for (const name of parts) {
      const seen = this.#firstSeen.get(name) ?? now;
      this.#firstSeen.set(name, Math.min(seen, now));
      if (now - seen < abandonedAfterMs) continue;
      const path = (0, import_node_path7.join)(this.paths.inbox, name);
      try {
        JSON.parse((0, import_node_fs9.readFileSync)(path, "utf8"));
        (0, import_node_fs9.renameSync)(path, (0, import_node_path7.join)(this.paths.inbox, `${name.slice(0, -unfinished.length)}-late${finished}`));
        this.log.info(`Took over ${name}, which a hook had written but not finished.`);
      } catch (error) {
        if (codeOf(error) !== "ENOENT")
          this.#reject(name, "the hook that wrote it ended before it was whole");
      }
    }
  }
  #reject(name, why) {
    const from = (0, import_node_path7.join)(this.paths.inbox, name);
    try {
      (0, import_node_fs9.mkdirSync)(this.paths.rejected, { recursive: true, mode: privateFolder });
      (0, import_node_fs9.renameSync)(from, (0, import_node_path7.join)(this.paths.rejected, name));
      this.#stampNow((0, import_node_path7.join)(this.paths.rejected, name));
      this.log.warn(
        `${from} cannot be used: ${why}. It was moved to ${this.paths.rejected}. If an edit of yours did not reach Plex, save that scene again or run "Sync recent scenes".`
      );
    } catch (error) {
      this.#stuck.add(name);
      this.log.warn(
        `${from} cannot be used: ${why}. It could not be moved away: ${describeFileError(error)}.`
      );
      return;
    }
    this.#pruneRejected();
  }
  /** It is kept from now on, however old it is. */
  #stampNow(path) {
    const now = new Date(this.clock.now());
    (0, import_node_fs9.utimesSync)(path, now, now);
  }
  #pruneRejected() {
    const now = this.clock.now();
    const oldestFirst = (0, import_node_fs9.readdirSync)(this.paths.rejected).map((name) => ({ path: (0, import_node_path7.join)(this.paths.rejected, name), at: timeOf((0, import_node_path7.join)(this.paths.rejected, name)) })).sort((a, b) => a.at - b.at);
    const excess = oldestFirst.length - mostRejected;
    oldestFirst.forEach(({ path, at }, index) => {
      if (index >= excess && now - at < rejectedKeptMs) return;
      try {
        (0, import_node_fs9.unlinkSync)(path);
      } catch {
      }
    });
  }
  #inOrder() {
    return this.#names().filter((name) => name.endsWith(finished)).map((name) => ({ name, at: timeOf((0, import_node_path7.join)(this.paths.inbox, name)) })).sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
  }
  #names() {
    return inboxNames(this.paths.inbox).filter((name) => !this.#stuck.has(name));
  }
};
function timeOf(path) {
  try {
    return (0, import_node_fs9.statSync)(path).mtimeMs;
  } catch {
    return 0;
  }
}

// src/shared/bell.ts
var Bell = class {
  #rung = false;
  #waiting = null;
  ring() {
    this.#rung = true;
    this.#waiting?.abort();
  }
  /** Resolves after `ms`, at a ring, or when `signal` aborts. One waiter at a time. */
  async wait(ms, clock, signal) {
    const waiting = new AbortController();
    this.#waiting = waiting;
    const stop = () => waiting.abort();
    signal.addEventListener("abort", stop);
    if (!this.#rung && !signal.aborted) await clock.sleep(ms, waiting.signal);
    signal.removeEventListener("abort", stop);
    this.#waiting = null;
    this.#rung = false;
  }
};

// src/shared/flow-settings.ts
var flowNumbers = {
  // The breaker.
  failuresInARow: {
    fallback: 5,
    least: 1,
    most: 100,
    whole: true,
    label: "Failures until Plex counts as down"
  },
  overloadsInARow: {
    fallback: 3,
    least: 1,
    most: 100,
    whole: true,
    label: "Overloads until Plex counts as down"
  },
  openSeconds: { fallback: 60, least: 1, most: 86400, label: "Wait after Plex failed" },
  openMaxSeconds: { fallback: 300, least: 1, most: 86400, label: "Longest wait after Plex failed" },
  /** The wait is lengthened at random by up to this much, so that several clients do not come back at once. */
  openJitterPercent: { fallback: 20, least: 0.1, most: 100 },
  windowSeconds: { fallback: 30, least: 1, most: 600 },
  windowResults: { fallback: 10, least: 1, most: 1e3, whole: true },
  windowErrorPercent: { fallback: 50, least: 1, most: 100 },
  // The recovery period.
  initialRate: {
    fallback: 5,
    least: 0.1,
    most: 1e3,
    label: "Scenes per second at the start of a recovery"
  },
  targetRate: { fallback: 20, least: 0.1, most: 1e3, label: "Scenes per second at the end of a recovery" },
  recoverySeconds: { fallback: 300, least: 1, most: 86400, label: "Length of a recovery" },
  lowestRate: { fallback: 0.5, least: 0.01, most: 100 },
  halvingSeconds: { fallback: 60, least: 1, most: 600 },
  halvingResults: { fallback: 5, least: 1, most: 1e3, whole: true },
  halvingErrorPercent: { fallback: 30, least: 1, most: 100 },
  healthyErrorPercent: { fallback: 10, least: 0.1, most: 100 },
  // The adaptive cap.
  latencyWeight: { fallback: 0.15, least: 0.01, most: 1 },
  latencyDriftPercent: { fallback: 0.05, least: 1e-3, most: 10 },
  /** A server whose normal latency is below this is judged as if it were this: between 2 and 4 ms nothing is wrong. */
  quickMs: { fallback: 25, least: 1, most: 1e4 },
  distressFactor: { fallback: 1.8, least: 1.1, most: 100 },
  uneaseFactor: { fallback: 1.4, least: 1, most: 100 },
  distressCut: { fallback: 0.8, least: 0.1, most: 0.99 },
  overloadCut: { fallback: 0.5, least: 0.1, most: 0.99 },
  cutApartSeconds: { fallback: 5, least: 0.1, most: 3600 },
  /** Of the cap, right after a cut, until the server is calm again or waiting for that does not help. */
  reliefPercent: { fallback: 20, least: 1, most: 100 },
  calmFactor: { fallback: 1.1, least: 1, most: 100 },
  reliefJobs: { fallback: 4, least: 1, most: 100 },
  growthPercent: { fallback: 5, least: 0.1, most: 100 },
  inUsePercent: { fallback: 70, least: 1, most: 100 },
  // Lanes, cooldown, Retry-After.
  lanes: { fallback: 2, least: 1, most: 20, whole: true, label: "Scenes sent at the same time" },
  cooldownSeconds: { fallback: 5, least: 0.1, most: 3600 },
  cooldownMaxSeconds: { fallback: 60, least: 0.1, most: 3600 },
  /** How long Plex may take to answer one request. */
  requestSeconds: { fallback: 30, least: 0.1, most: 600 },
  retryAfterMaxSeconds: { fallback: 3600, least: 1, most: 86400 },
  // Retries of one job.
  transientTries: { fallback: 5, least: 1, most: 100, whole: true },
  transientBaseSeconds: { fallback: 5, least: 0.1, most: 600 },
  transientMaxSeconds: { fallback: 80, least: 0.1, most: 600 },
  missingTries: { fallback: 12, least: 1, most: 100, whole: true },
  missingBaseSeconds: { fallback: 30, least: 0.1, most: 600 },
  missingMaxSeconds: { fallback: 600, least: 0.1, most: 600 },
  /** How long after a sync without a cover one more look is taken: a scan tells of a scene before its cover exists. */
  coverSeconds: { fallback: 600, least: 0.1, most: 600 },
  deaths: { fallback: 3, least: 1, most: 100, whole: true }
};
var flowDefaults = Object.fromEntries(
  Object.entries(flowNumbers).map(([name, { fallback }]) => [name, fallback])
);

// src/stash/flow-pairs.ts
var flowPairs = [
  { low: "initialRate", high: "targetRate", kinder: Math.min },
  { low: "openSeconds", high: "openMaxSeconds", kinder: Math.max },
  { low: "cooldownSeconds", high: "cooldownMaxSeconds", kinder: Math.max },
  { low: "transientBaseSeconds", high: "transientMaxSeconds", kinder: Math.max },
  { low: "missingBaseSeconds", high: "missingMaxSeconds", kinder: Math.max }
];
function completeFlow(given) {
  const flow = { ...flowDefaults, ...given };
  const contradictions = [];
  for (const pair of flowPairs) {
    const { low, high, kinder } = pair;
    if (flow[low] <= flow[high]) continue;
    const both = given[low] !== void 0 && given[high] !== void 0;
    if (both) contradictions.push(pair);
    flow[low] = flow[high] = both ? kinder(flow[low], flow[high]) : given[low] ?? flow[high];
  }
  return { flow, contradictions };
}

// src/stash/path-rule.ts
function parsePathRules(text2) {
  const pairs = [];
  for (const part of text2.split(/[;\r\n]+/).map((one) => one.trim())) {
    if (part === "") continue;
    const [from, to, ...more] = part.split("=>").map((one) => one.trim());
    if (!from || !to || more.length > 0) {
      throw new Error(`must be rules like "/data => /media" with ";" between them, which "${part}" is not`);
    }
    pairs.push([from, to]);
  }
  return pathRules(pairs);
}
function pathRules(pairs) {
  const rules2 = [];
  for (const [from, to] of pairs) {
    for (const side of [from, to]) {
      if (!/^([/\\]|[a-z]:)/i.test(side)) {
        throw new Error(`must name whole paths, and "${side}" begins neither with "/" nor with a drive`);
      }
    }
    const rule = { from: withoutTrailingSeparators(from), to: withoutTrailingSeparators(to) };
    if (rules2.some((other) => other.from === rule.from)) throw new Error(`must not name "${from}" twice`);
    rules2.push(rule);
  }
  return rules2;
}
var withoutTrailingSeparators = (path) => path.replace(/[/\\]+$/, "");

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
function globMatcher(glob) {
  const posix = compile(glob, false);
  const windows = compile(glob, true);
  return (path) => {
    const isWindows = windowsPath.test(path);
    return fits([...plainPath(path, isWindows)], isWindows ? windows : posix);
  };
}
var windowsPath = /^([a-z]:(?=[\\/]|$)|\\\\|\/\/)/i;
function plainPath(text2, isWindows) {
  const nfc = text2.normalize("NFC");
  if (!isWindows) return nfc.replace(/\/+/g, "/");
  const plain = nfc.toLowerCase().replaceAll("\\", "/").replace(/^\/\/\?\/(unc(?=\/))?/, (_, share) => share ? "/" : "");
  return (plain.startsWith("//") ? "/" : "") + plain.replace(/\/+/g, "/");
}
function compile(glob, isWindows) {
  const whole = plainPath(glob, isWindows);
  const chars = [...whole.replace(/\/$/, "")];
  const roles = alternatives(chars) ?? /* @__PURE__ */ new Map();
  const steps = [];
  const open = [];
  const ways = (...to) => {
    steps.push({ is: "ways", to });
    return to;
  };
  const anything = (crosses) => {
    const start = steps.length;
    ways(start + 1, start + 3);
    steps.push({ is: "any", crosses });
    ways(start);
  };
  const anyFolders = () => {
    const none2 = ways(steps.length + 1);
    anything(true);
    steps.push({ is: "char", char: "/" });
    none2.push(steps.length);
  };
  if (!(isWindows ? /^(\/|[a-z]:)/ : /^\//).test(whole)) anyFolders();
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? "";
    const role = roles.get(i);
    const group = open.at(-1);
    const before = roles.get(i - 1);
    const inGroup = before === "open" || before === "comma";
    const atName = i === 0 || chars[i - 1] === "/" || inGroup && group?.atName === true;
    if (role === "open") {
      open.push({ fork: ways(steps.length + 1), ends: [], atName });
    } else if (role === "comma") {
      group?.ends.push(ways());
      group?.fork.push(steps.length);
    } else if (role === "close") {
      for (const end of group?.ends ?? []) end.push(steps.length);
      open.pop();
    } else if (char === "*") {
      const first = i;
      while (chars[i + 1] === "*") i++;
      const crosses = i > first;
      if (crosses && atName && chars[i + 1] === "/") {
        anyFolders();
        i++;
      } else {
        anything(crosses);
      }
    } else {
      steps.push(char === "?" ? { is: "any", crosses: false } : { is: "char", char });
    }
  }
  if (whole.endsWith("/") || !/[*?]/.test(whole)) {
    const none2 = ways(steps.length + 1);
    steps.push({ is: "char", char: "/" });
    anything(true);
    none2.push(steps.length);
  }
  return steps;
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
function fits(path, steps) {
  const rounds = new Int32Array(steps.length + 1).fill(-1);
  let round = 0;
  const reach = (place, places2) => {
    if (rounds[place] === round) return;
    rounds[place] = round;
    const step = steps[place];
    if (step?.is !== "ways") places2.push(place);
    else for (const next2 of step.to) reach(next2, places2);
  };
  let places = [];
  reach(0, places);
  for (const char of path) {
    round++;
    const next2 = [];
    for (const place of places) {
      const step = steps[place];
      const takes = step?.is === "char" ? step.char === char : step?.is === "any" && (step.crosses || char !== "/");
      if (takes) reach(place + 1, next2);
    }
    if (next2.length === 0) return false;
    places = next2;
  }
  return places.includes(steps.length);
}

// src/stash/setting-values.ts
function token(text2) {
  if (!/^[\x21-\x7e]+$/.test(text2)) throw new Error("must be one word of plain letters, digits and signs");
  return text2;
}
function yesNo(text2) {
  const word = text2.toLowerCase();
  if (["true", "yes", "on", "1"].includes(word)) return true;
  if (["false", "no", "off"].includes(word)) return false;
  throw new Error("must be true or false");
}
var numberFrom = ({ least, most, whole }) => (text2) => {
  const number3 = Number(text2);
  if (number3 >= least && number3 <= most && (!whole || Number.isInteger(number3))) return number3;
  throw new Error(`must be a ${whole ? "whole number" : "number"} from ${least} to ${most}`);
};
function names(text2) {
  const found = /* @__PURE__ */ new Set();
  let rest = text2;
  while (rest !== "") {
    const quoted3 = /^\s*"((?:[^"]|"")*)"\s*(?:,|$)/.exec(rest);
    const plain = quoted3 ?? /^\s*([^",][^,]*|)(?:,|$)/.exec(rest);
    if (!plain)
      throw new Error("must be names with commas between them; a name in double quotes has to end with one");
    const name = quoted3 ? (quoted3[1] ?? "").replaceAll('""', '"') : (plain[1] ?? "").trim();
    if (name !== "") found.add(name);
    rest = rest.slice(plain[0].length);
  }
  return [...found];
}
var oneOf = (...allowed) => (text2) => {
  const found = allowed.find((word) => word.toLowerCase() === text2.toLowerCase());
  if (found === void 0) throw new Error(`must be ${inWords(allowed, "or")}`);
  return found;
};
var someOf = (allowed) => (text2) => {
  const given = new Map(names(text2).map((name) => [name.toLowerCase(), name]));
  const chosen = allowed.filter((word) => given.delete(word.toLowerCase()));
  const [wrong] = given.values();
  if (wrong !== void 0)
    throw new Error(`must be of ${inWords(allowed, "and")}, which "${wrong}" is not`);
  return chosen;
};
function collectionSources(text2) {
  const sources = { studio: false, groups: false, tags: /* @__PURE__ */ new Set() };
  for (const source of names(text2)) {
    const word = source.toLowerCase();
    const tag = /^tag:\s*(.+)$/is.exec(source)?.[1];
    if (tag !== void 0) sources.tags.add(tag);
    else if (word === "studio" || word === "groups") sources[word] = true;
    else throw new Error(`must be of studio, groups and tag:NAME, which "${source}" is not`);
  }
  return { ...sources, tags: [...sources.tags] };
}
function globs(text2) {
  const found = names(text2);
  found.forEach(checkGlob);
  return found;
}
var oneLine = (most) => (text2) => {
  if ([...text2].length <= most && !new RegExp("\\p{Cc}", "u").test(text2)) return text2;
  throw new Error(`must be one line of at most ${most} characters`);
};
var inWords = (words2, last) => `${words2.slice(0, -1).join(", ")} ${last} ${words2.at(-1)}`;
var plexPort = 32400;
function plexAddress(text2) {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text2);
  const whole = hasScheme ? text2 : `http://${text2}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new Error("must be an address such as http://192.168.1.10:32400");
  }
  if (url.username || url.password) {
    throw new Error("must not hold a user name or a password: Plex takes a token, which has its own setting");
  }
  if (url.hostname === "app.plex.tv") {
    throw new Error(
      "must be the address of your own server, such as http://192.168.1.10:32400, not of Plex's web app"
    );
  }
  if (!hasScheme && url.port === "") url.port = String(plexPort);
  return url.origin + url.pathname.replace(/\/web(\/.*)?$/, "").replace(/\/+$/, "");
}
var shownAddress = (text2) => text2.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1***@").replace(/[?#].*$/s, "");
function webAddress(text2) {
  const url = URL.canParse(text2) ? new URL(text2) : null;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new Error("must be a whole address that begins with http:// or https://");
  }
  if (url.username || url.password) throw new Error("must not hold a user name or a password");
  return url.href;
}
var shortestSecretPath = 12;
function secretsInAddress(text2) {
  const whole = text2.includes("://") ? text2 : `http://${text2}`;
  if (!URL.canParse(whole)) return [text2];
  const { href, pathname, search } = new URL(whole);
  const path = pathname + search;
  return [text2, href, ...path.length < shortestSecretPath ? [] : [path]];
}

// src/shared/hash.ts
var import_node_crypto = require("node:crypto");
var shortHash = (value) => (0, import_node_crypto.createHash)("sha1").update(JSON.stringify(value)).digest("base64url").slice(0, 10);

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
  Object.entries(syncRows).map(([key2, { fallback }]) => [key2, fallback])
);
function shownSettings(settings) {
  const { plexKeepsOwn, syncTagsAs, syncStudioParent, syncContentRating, syncPictureAs } = settings;
  const { syncOnlyOrganized, syncOnlyWithMetadata, syncCollectionsFrom } = settings;
  const { syncSkipFields, syncOnlyTags, syncNeverTags, syncOnlyStudios, syncNeverStudios } = settings;
  const { syncOnlyPaths, syncNeverPaths } = settings;
  const lists2 = [
    syncSkipFields,
    syncCollectionsFrom.tags,
    syncOnlyTags,
    syncNeverTags,
    syncOnlyStudios,
    syncNeverStudios,
    syncOnlyPaths,
    syncNeverPaths
  ];
  return shortHash([
    [plexKeepsOwn, syncTagsAs, syncStudioParent, syncContentRating, syncPictureAs],
    [syncOnlyOrganized, syncOnlyWithMetadata, syncCollectionsFrom.studio, syncCollectionsFrom.groups],
    lists2.map((list3) => [...list3].sort())
  ]);
}

// src/stash/settings.ts
var plainRows = {
  ...syncRows,
  plexUrl: { label: "Plex address", fallback: null, parse: plexAddress, show: shownAddress },
  plexToken: { label: "Plex token", fallback: null, parse: token, secrets: (text2) => [text2] },
  plexLibraries: { label: "Plex libraries", fallback: [], parse: names, holds: true },
  plexPathMap: { label: "Path map", fallback: [], parse: parsePathRules, holds: true },
  plexTrustAnyCertificate: { label: "Trust any Plex certificate", fallback: false, parse: yesNo },
  notifyUrl: { label: "Notification address", fallback: null, parse: webAddress, secrets: secretsInAddress }
};
var flowRow = (number3) => ({
  ...number3.label !== void 0 && { label: number3.label },
  fallback: number3.fallback,
  parse: numberFrom(number3)
});
var flowNames = Object.keys(flowNumbers);
var flowKey = (name) => `flow${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
var flowRows = Object.fromEntries(
  flowNames.map((name) => [flowKey(name), flowRow(flowNumbers[name])])
);
var settingsTable = { ...plainRows, ...flowRows };
var keys = Object.keys(settingsTable);
function readSettings(raw, env) {
  const isOnPage = (key2) => settingsTable[key2].label !== void 0 && isSet(raw[key2]);
  const given = /* @__PURE__ */ new Map();
  const mistakes = [];
  for (const key2 of keys) {
    const row = settingsTable[key2];
    const value = isOnPage(key2) ? raw[key2] : env[environmentName(key2)];
    if (!isSet(value)) continue;
    row.secrets?.(String(value).trim()).forEach(registerSecret);
    try {
      given.set(key2, row.parse(textOf(value)));
    } catch (error) {
      const but = row.secrets ? "" : `is "${shownValue(row, value)}", but `;
      mistakes.push({ key: key2, what: `${but}${messageOf(error)}` });
    }
  }
  const plain = Object.fromEntries(
    Object.entries(plainRows).map(([key2, { fallback }]) => [
      key2,
      given.has(key2) ? given.get(key2) : fallback
    ])
  );
  const flowGiven = Object.fromEntries(
    flowNames.flatMap((name) => given.has(flowKey(name)) ? [[name, given.get(flowKey(name))]] : [])
  );
  const { flow, contradictions } = completeFlow(flowGiven);
  const used = new Map([
    ...Object.entries(plain),
    ...flowNames.map((name) => [flowKey(name), flow[name]])
  ]);
  const nameOf = (key2) => nameInWords(key2, isOnPage(key2));
  const contradiction = ({ low, high }) => `The setting ${nameOf(flowKey(low))} is ${flowGiven[low]}, but must not be above ${nameOf(flowKey(high))}, which is ${flowGiven[high]}; until one of them is corrected, ${flow[low]} is used for both.`;
  const holds = (key2) => settingsTable[key2].holds === true;
  const holding = mistakes.filter(({ key: key2 }) => holds(key2)).map(({ key: key2 }) => nameOf(key2));
  return {
    settings: { ...plain, flow, heldBecause: heldBecause(holding) },
    problems: [
      ...mistakes.map(
        ({ key: key2, what }) => `The setting ${nameOf(key2)} ${what}; until it is corrected, ${holds(key2) ? "nothing is sent to Plex, and your edits are kept" : consequence(used.get(key2))}.`
      ),
      ...contradictions.map(contradiction)
    ]
  };
}
var heldBecause = (names3) => names3.length === 0 ? null : `Nothing is sent to Plex, and your edits are kept, until the setting ${names3.join(" and ")} is corrected.`;
function missingSettings(settings) {
  const missing = ["plexUrl", "plexToken"].filter((key2) => settings[key2] === null).map((key2) => `"${settingsTable[key2].label}"`);
  if (missing.length === 0) return null;
  return `Sluice keeps your edits but cannot send them yet: set ${missing.join(" and ")} in Stash under Settings > Plugins > Sluice.`;
}
var environmentName = (key2) => `SLUICE_${key2.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
function nameInWords(key2, isOnPage) {
  const { label } = settingsTable[key2];
  if (label === void 0) return environmentName(key2);
  return `"${label}"${isOnPage ? "" : ` (from ${environmentName(key2)})`}`;
}
var isSet = (value) => value !== void 0 && value !== null && !["", "0"].includes(String(value).trim());
function textOf(value) {
  if (typeof value === "object") throw new Error("must be a text, a number or true/false");
  return String(value).trim();
}
var longestShown = 80;
function shownValue(row, value) {
  const text2 = typeof value === "object" ? JSON.stringify(value) : String(value).trim();
  const shown3 = row.show ? row.show(text2) : text2;
  return shown3.length > longestShown ? `${shown3.slice(0, longestShown)}…` : shown3;
}
function consequence(used) {
  const unset = used === null || used === "" || typeof used === "object";
  return unset ? "it counts as not set" : `${String(used)} is used`;
}

// node_modules/graphql-request/build/legacy/classes/ClientError.js
var ClientError = class _ClientError extends Error {
  response;
  request;
  constructor(response, request4) {
    const message = `${_ClientError.extractMessage(response)}: ${JSON.stringify({
      response,
      request: request4
    })}`;
    super(message);
    Object.setPrototypeOf(this, _ClientError.prototype);
    this.response = response;
    this.request = request4;
    if (typeof Error.captureStackTrace === `function`) {
      Error.captureStackTrace(this, _ClientError);
    }
  }
  static extractMessage(response) {
    return response.errors?.[0]?.message ?? `GraphQL Error (Code: ${String(response.status)})`;
  }
};

// node_modules/graphql-request/build/lib/prelude.js
var uppercase = (str) => str.toUpperCase();
var callOrIdentity = (value) => {
  return typeof value === `function` ? value() : value;
};
var zip = (a, b) => a.map((k, i) => [k, b[i]]);
var HeadersInitToPlainObject = (headers) => {
  let oHeaders = {};
  if (headers instanceof Headers) {
    oHeaders = HeadersInstanceToPlainObject(headers);
  } else if (Array.isArray(headers)) {
    headers.forEach(([name, value]) => {
      if (name && value !== void 0) {
        oHeaders[name] = value;
      }
    });
  } else if (headers) {
    oHeaders = headers;
  }
  return oHeaders;
};
var HeadersInstanceToPlainObject = (headers) => {
  const o = {};
  headers.forEach((v, k) => {
    o[k] = v;
  });
  return o;
};
var tryCatch = (fn) => {
  try {
    const result = fn();
    if (isPromiseLikeValue(result)) {
      return result.catch((error) => {
        return errorFromMaybeError(error);
      });
    }
    return result;
  } catch (error) {
    return errorFromMaybeError(error);
  }
};
var errorFromMaybeError = (maybeError) => {
  if (maybeError instanceof Error)
    return maybeError;
  return new Error(String(maybeError));
};
var isPromiseLikeValue = (value) => {
  return typeof value === `object` && value !== null && `then` in value && typeof value.then === `function` && `catch` in value && typeof value.catch === `function` && `finally` in value && typeof value.finally === `function`;
};
var casesExhausted = (value) => {
  throw new Error(`Unhandled case: ${String(value)}`);
};
var isPlainObject = (value) => {
  return typeof value === `object` && value !== null && !Array.isArray(value);
};

// node_modules/graphql-request/build/legacy/functions/batchRequests.js
var parseBatchRequestArgs = (documentsOrOptions, requestHeaders) => {
  return documentsOrOptions.documents ? documentsOrOptions : {
    documents: documentsOrOptions,
    requestHeaders,
    signal: void 0
  };
};

// node_modules/graphql-request/build/legacy/functions/rawRequest.js
var parseRawRequestArgs = (queryOrOptions, variables, requestHeaders) => {
  return queryOrOptions.query ? queryOrOptions : {
    query: queryOrOptions,
    variables,
    requestHeaders,
    signal: void 0
  };
};

// node_modules/graphql/jsutils/devAssert.mjs
function devAssert(condition, message) {
  const booleanCondition = Boolean(condition);
  if (!booleanCondition) {
    throw new Error(message);
  }
}

// node_modules/graphql/jsutils/isObjectLike.mjs
function isObjectLike(value) {
  return typeof value == "object" && value !== null;
}

// node_modules/graphql/language/location.mjs
function getLocation(source, position) {
  const lineRegexp = /\r\n|[\n\r]/g;
  let line = 1;
  let column = position + 1;
  let match;
  while ((match = lineRegexp.exec(source.body)) && match.index < position) {
    line++;
    column = position + 1 - (match.index + match[0].length);
  }
  return {
    line,
    column
  };
}
function getLocations(locations) {
  if (locations.length < 2) {
    return locations.map(({ source, start }) => getLocation(source, start));
  }
  const bySource = /* @__PURE__ */ new Map();
  locations.forEach(({ source, start }, index) => {
    let positions = bySource.get(source);
    if (positions === void 0) {
      positions = [];
      bySource.set(source, positions);
    }
    positions.push({
      position: start,
      index
    });
  });
  const result = new Array(locations.length);
  for (const [source, positions] of bySource) {
    const lineRegexp = /\r\n|[\n\r]/g;
    let match = lineRegexp.exec(source.body);
    let line = 1;
    let lastLineStart = 0;
    positions.sort((a, b) => a.position - b.position);
    for (const { position, index } of positions) {
      while (match !== null && match.index < position) {
        lastLineStart = match.index + match[0].length;
        line++;
        match = lineRegexp.exec(source.body);
      }
      result[index] = {
        line,
        column: position + 1 - lastLineStart
      };
    }
  }
  return result;
}

// node_modules/graphql/language/printLocation.mjs
function printLocation(location) {
  return printSourceLocation(
    location.source,
    getLocation(location.source, location.start)
  );
}
function printSourceLocation(source, sourceLocation) {
  const firstLineColumnOffset = source.locationOffset.column - 1;
  const body = "".padStart(firstLineColumnOffset) + source.body;
  const lineIndex = sourceLocation.line - 1;
  const lineOffset = source.locationOffset.line - 1;
  const lineNum = sourceLocation.line + lineOffset;
  const columnOffset = sourceLocation.line === 1 ? firstLineColumnOffset : 0;
  const columnNum = sourceLocation.column + columnOffset;
  const locationStr = `${source.name}:${lineNum}:${columnNum}
`;
  const lines = body.split(/\r\n|[\n\r]/g);
  const locationLine = lines[lineIndex];
  if (locationLine.length > 120) {
    const subLineIndex = Math.floor(columnNum / 80);
    const subLineColumnNum = columnNum % 80;
    const subLines = [];
    for (let i = 0; i < locationLine.length; i += 80) {
      subLines.push(locationLine.slice(i, i + 80));
    }
    return locationStr + printPrefixedLines([
      [`${lineNum} |`, subLines[0]],
      ...subLines.slice(1, subLineIndex + 1).map((subLine) => ["|", subLine]),
      ["|", "^".padStart(subLineColumnNum)],
      ["|", subLines[subLineIndex + 1]]
    ]);
  }
  return locationStr + printPrefixedLines([
    // Lines specified like this: ["prefix", "string"],
    [`${lineNum - 1} |`, lines[lineIndex - 1]],
    [`${lineNum} |`, locationLine],
    ["|", "^".padStart(columnNum)],
    [`${lineNum + 1} |`, lines[lineIndex + 1]]
  ]);
}
function printPrefixedLines(lines) {
  const existingLines = lines.filter(([_, line]) => line !== void 0);
  const padLen = Math.max(...existingLines.map(([prefix]) => prefix.length));
  return existingLines.map(([prefix, line]) => prefix.padStart(padLen) + (line ? " " + line : "")).join("\n");
}

// node_modules/graphql/error/GraphQLError.mjs
function toNormalizedOptions(args) {
  const firstArg = args[0];
  if (firstArg == null || "kind" in firstArg || "length" in firstArg) {
    return {
      nodes: firstArg,
      source: args[1],
      positions: args[2],
      path: args[3],
      originalError: args[4],
      extensions: args[5]
    };
  }
  return firstArg;
}
var GraphQLError = class _GraphQLError extends Error {
  /**
   * An array of `{ line, column }` locations within the source GraphQL document
   * which correspond to this error.
   *
   * Errors during validation often contain multiple locations, for example to
   * point out two things with the same name. Errors during execution include a
   * single location, the field which produced the error.
   *
   * Enumerable, and appears in the result of JSON.stringify().
   */
  /**
   * An array describing the JSON-path into the execution response which
   * corresponds to this error. Only included for errors during execution.
   *
   * Enumerable, and appears in the result of JSON.stringify().
   */
  /** An array of GraphQL AST Nodes corresponding to this error. */
  /**
   * The source GraphQL document for the first location of this error.
   *
   * Note that if this Error represents more than one node, the source may not
   * represent nodes after the first node.
   */
  /**
   * An array of character offsets within the source GraphQL document
   * which correspond to this error.
   */
  /** Original error that caused this GraphQLError, if one exists. */
  /** Extension fields to add to the formatted error. */
  /**
   * Creates a GraphQLError instance.
   * @param message - Human-readable error message.
   * @param options - Error metadata such as source locations, response path, original error, and extensions.
   * This positional-arguments constructor overload is deprecated. Use the
   * `GraphQLError(message, options)` overload instead.
   * @example
   * ```ts
   * import { Kind } from 'graphql/language';
   * import assert from 'node:assert/strict';
   * // Create an error from AST nodes and response metadata.
   * import { parse } from 'graphql/language';
   * import { GraphQLError } from 'graphql/error';
   *
   * const document = parse('{ greeting }');
   * const operation = document.definitions[0];
   * assert(operation.kind === Kind.OPERATION_DEFINITION);
   * const fieldNode = operation.selectionSet.selections[0];
   * const error = new GraphQLError('Cannot query this field.', {
   *   nodes: fieldNode,
   *   path: ['greeting'],
   *   extensions: { code: 'FORBIDDEN' },
   * });
   *
   * error.message; // => 'Cannot query this field.'
   * error.locations; // => [{ line: 1, column: 3 }]
   * error.path; // => ['greeting']
   * error.extensions; // => { code: 'FORBIDDEN' }
   * ```
   * @example
   * ```ts
   * // This variant derives locations from source positions and preserves the original error.
   * import { Source } from 'graphql/language';
   * import { GraphQLError } from 'graphql/error';
   *
   * const source = new Source('{ greeting }');
   * const originalError = new Error('Database unavailable.');
   * const error = new GraphQLError('Resolver failed.', {
   *   source,
   *   positions: [2],
   *   path: ['greeting'],
   *   originalError,
   * });
   *
   * error.locations; // => [{ line: 1, column: 3 }]
   * error.path; // => ['greeting']
   * error.originalError; // => originalError
   * ```
   */
  /**
   * Creates a GraphQLError instance using the legacy positional constructor.
   * This deprecated overload will be removed in v17. Prefer the
   * `GraphQLErrorOptions` object overload, which keeps optional error metadata
   * in a single options bag.
   * @param message - Human-readable error message.
   * @param nodes - AST node or nodes associated with this error.
   * @param source - Source document used to derive error locations.
   * @param positions - Character offsets in the source document associated with
   * this error.
   * @param path - Response path where this error occurred during execution.
   * @param originalError - Original error that caused this GraphQLError, if one
   * exists.
   * @param extensions - Extension fields to include in the formatted error.
   * @example
   * ```ts
   * import { Source } from 'graphql/language';
   * import { GraphQLError } from 'graphql/error';
   *
   * const source = new Source('{ greeting }');
   * const originalError = new Error('Database unavailable.');
   * const error = new GraphQLError(
   *   'Resolver failed.',
   *   undefined,
   *   source,
   *   [2],
   *   ['greeting'],
   *   originalError,
   *   { code: 'INTERNAL' },
   * );
   *
   * error.locations; // => [{ line: 1, column: 3 }]
   * error.path; // => ['greeting']
   * error.originalError; // => originalError
   * error.extensions; // => { code: 'INTERNAL' }
   * ```
   * @deprecated Please use the `GraphQLErrorOptions` constructor overload instead.
   */
  constructor(message, ...rawArgs) {
    var _this$nodes, _nodeLocations$, _ref;
    const { nodes, source, positions, path, originalError, extensions } = toNormalizedOptions(rawArgs);
    super(message);
    this.name = "GraphQLError";
    this.path = path !== null && path !== void 0 ? path : void 0;
    this.originalError = originalError !== null && originalError !== void 0 ? originalError : void 0;
    this.nodes = undefinedIfEmpty(
      Array.isArray(nodes) ? nodes : nodes ? [nodes] : void 0
    );
    const nodeLocations = undefinedIfEmpty(
      (_this$nodes = this.nodes) === null || _this$nodes === void 0 ? void 0 : _this$nodes.map((node) => node.loc).filter((loc) => loc != null)
    );
    this.source = source !== null && source !== void 0 ? source : nodeLocations === null || nodeLocations === void 0 ? void 0 : (_nodeLocations$ = nodeLocations[0]) === null || _nodeLocations$ === void 0 ? void 0 : _nodeLocations$.source;
    this.positions = positions !== null && positions !== void 0 ? positions : nodeLocations === null || nodeLocations === void 0 ? void 0 : nodeLocations.map((loc) => loc.start);
    this.locations = positions && source ? getLocations(
      positions.map((start) => ({
        source,
        start
      }))
    ) : nodeLocations && getLocations(nodeLocations);
    const originalExtensions = isObjectLike(
      originalError === null || originalError === void 0 ? void 0 : originalError.extensions
    ) ? originalError === null || originalError === void 0 ? void 0 : originalError.extensions : void 0;
    this.extensions = (_ref = extensions !== null && extensions !== void 0 ? extensions : originalExtensions) !== null && _ref !== void 0 ? _ref : /* @__PURE__ */ Object.create(null);
    Object.defineProperties(this, {
      message: {
        writable: true,
        enumerable: true
      },
      name: {
        enumerable: false
      },
      nodes: {
        enumerable: false
      },
      source: {
        enumerable: false
      },
      positions: {
        enumerable: false
      },
      originalError: {
        enumerable: false
      }
    });
    if (originalError !== null && originalError !== void 0 && originalError.stack) {
      Object.defineProperty(this, "stack", {
        value: originalError.stack,
        writable: true,
        configurable: true
      });
    } else if (Error.captureStackTrace) {
      Error.captureStackTrace(this, _GraphQLError);
    } else {
      Object.defineProperty(this, "stack", {
        value: Error().stack,
        writable: true,
        configurable: true
      });
    }
  }
  /**
   * Returns the value used by `Object.prototype.toString`.
   * @returns The built-in string tag for this object.
   */
  get [Symbol.toStringTag]() {
    return "GraphQLError";
  }
  /**
   * Returns this error as a human-readable message with source locations.
   * @returns The formatted error string.
   * @example
   * ```ts
   * import { Source } from 'graphql/language';
   * import { GraphQLError } from 'graphql/error';
   *
   * const error = new GraphQLError('Cannot query field "name".', {
   *   source: new Source('{ name }'),
   *   positions: [2],
   * });
   *
   * error.toString(); // => 'Cannot query field "name".\n\nGraphQL request:1:3\n1 | { name }\n  |   ^'
   * ```
   */
  toString() {
    let output = this.message;
    if (this.nodes) {
      for (const node of this.nodes) {
        if (node.loc) {
          output += "\n\n" + printLocation(node.loc);
        }
      }
    } else if (this.source && this.locations) {
      for (const location of this.locations) {
        output += "\n\n" + printSourceLocation(this.source, location);
      }
    }
    return output;
  }
  /**
   * Returns the JSON representation used when this object is serialized.
   * @returns The JSON-serializable representation.
   * @example
   * ```ts
   * import { GraphQLError } from 'graphql/error';
   *
   * const error = new GraphQLError('Resolver failed.', {
   *   path: ['viewer', 'name'],
   *   extensions: { code: 'INTERNAL' },
   * });
   *
   * error.toJSON(); // => { message: 'Resolver failed.', path: ['viewer', 'name'], extensions: { code: 'INTERNAL' } }
   * ```
   */
  toJSON() {
    const formattedError = {
      message: this.message
    };
    if (this.locations != null) {
      formattedError.locations = this.locations;
    }
    if (this.path != null) {
      formattedError.path = this.path;
    }
    if (this.extensions != null && Object.keys(this.extensions).length > 0) {
      formattedError.extensions = this.extensions;
    }
    return formattedError;
  }
};
function undefinedIfEmpty(array2) {
  return array2 === void 0 || array2.length === 0 ? void 0 : array2;
}

// node_modules/graphql/error/syntaxError.mjs
function syntaxError(source, position, description) {
  return new GraphQLError(`Syntax Error: ${description}`, {
    source,
    positions: [position]
  });
}

// node_modules/graphql/language/ast.mjs
var Location = class {
  /** The character offset at which this Node begins. */
  /** The character offset at which this Node ends. */
  /** The Token at which this Node begins. */
  /** The Token at which this Node ends. */
  /** The Source document the AST represents. */
  /**
   * Creates a Location instance.
   * @param startToken - The start token.
   * @param endToken - The end token.
   * @param source - Source document used to derive error locations.
   * @example
   * ```ts
   * import { Location, Source, Token, TokenKind } from 'graphql/language';
   *
   * const source = new Source('{ hello }');
   * const startToken = new Token(TokenKind.BRACE_L, 0, 1, 1, 1);
   * const endToken = new Token(TokenKind.BRACE_R, 8, 9, 1, 9);
   * const location = new Location(startToken, endToken, source);
   *
   * location.start; // => 0
   * location.end; // => 9
   * location.source.body; // => '{ hello }'
   * ```
   */
  constructor(startToken, endToken, source) {
    this.start = startToken.start;
    this.end = endToken.end;
    this.startToken = startToken;
    this.endToken = endToken;
    this.source = source;
  }
  /**
   * Returns the value used by `Object.prototype.toString`.
   * @returns The built-in string tag for this object.
   */
  get [Symbol.toStringTag]() {
    return "Location";
  }
  /**
   * Returns a JSON representation of this location.
   * @returns The JSON-serializable representation.
   * @example
   * ```ts
   * import { parse } from 'graphql/language';
   *
   * const document = parse('{ hello }');
   * const location = document.loc?.toJSON(); // => { start: 0, end: 9 }
   * ```
   */
  toJSON() {
    return {
      start: this.start,
      end: this.end
    };
  }
};
var Token = class {
  /** The kind of Token. */
  /** The character offset at which this Node begins. */
  /** The character offset at which this Node ends. */
  /** The 1-indexed line number on which this Token appears. */
  /** The 1-indexed column number at which this Token begins. */
  /**
   * For non-punctuation tokens, represents the interpreted value of the token.
   *
   * Note: is undefined for punctuation tokens, but typed as string for
   * convenience in the parser.
   */
  /**
   * Tokens exist as nodes in a double-linked-list amongst all tokens
   * including ignored tokens. <SOF> is always the first node and <EOF>
   * the last.
   */
  /** Next token in the token stream, including ignored tokens. */
  /**
   * Creates a Token instance.
   * @param kind - Token kind produced by lexical analysis.
   * @param start - Character offset where this token begins.
   * @param end - Character offset where this token ends.
   * @param line - One-indexed line number where this token begins.
   * @param column - One-indexed column number where this token begins.
   * @param value - Interpreted value for non-punctuation tokens.
   * @example
   * ```ts
   * import { Token, TokenKind } from 'graphql/language';
   *
   * const token = new Token(TokenKind.NAME, 2, 7, 1, 3, 'hello');
   *
   * token.kind; // => TokenKind.NAME
   * token.value; // => 'hello'
   * token.toJSON(); // => { kind: 'Name', value: 'hello', line: 1, column: 3 }
   * ```
   */
  constructor(kind, start, end, line, column, value) {
    this.kind = kind;
    this.start = start;
    this.end = end;
    this.line = line;
    this.column = column;
    this.value = value;
    this.prev = null;
    this.next = null;
  }
  /**
   * Returns the value used by `Object.prototype.toString`.
   * @returns The built-in string tag for this object.
   */
  get [Symbol.toStringTag]() {
    return "Token";
  }
  /**
   * Returns a JSON representation of this token.
   * @returns The JSON-serializable representation.
   * @example
   * ```ts
   * import { Lexer, Source } from 'graphql/language';
   *
   * const lexer = new Lexer(new Source('{ hello }'));
   * const token = lexer.advance().toJSON(); // => { kind: '{', value: undefined, line: 1, column: 1 }
   * ```
   */
  toJSON() {
    return {
      kind: this.kind,
      value: this.value,
      line: this.line,
      column: this.column
    };
  }
};
var QueryDocumentKeys = {
  Name: [],
  Document: ["definitions"],
  OperationDefinition: [
    "description",
    "name",
    "variableDefinitions",
    "directives",
    "selectionSet"
  ],
  VariableDefinition: [
    "description",
    "variable",
    "type",
    "defaultValue",
    "directives"
  ],
  Variable: ["name"],
  SelectionSet: ["selections"],
  Field: ["alias", "name", "arguments", "directives", "selectionSet"],
  Argument: ["name", "value"],
  FragmentSpread: ["name", "directives"],
  InlineFragment: ["typeCondition", "directives", "selectionSet"],
  FragmentDefinition: [
    "description",
    "name",
    // Note: fragment variable definitions are deprecated and will removed in v17.0.0
    "variableDefinitions",
    "typeCondition",
    "directives",
    "selectionSet"
  ],
  IntValue: [],
  FloatValue: [],
  StringValue: [],
  BooleanValue: [],
  NullValue: [],
  EnumValue: [],
  ListValue: ["values"],
  ObjectValue: ["fields"],
  ObjectField: ["name", "value"],
  Directive: ["name", "arguments"],
  NamedType: ["name"],
  ListType: ["type"],
  NonNullType: ["type"],
  SchemaDefinition: ["description", "directives", "operationTypes"],
  OperationTypeDefinition: ["type"],
  ScalarTypeDefinition: ["description", "name", "directives"],
  ObjectTypeDefinition: [
    "description",
    "name",
    "interfaces",
    "directives",
    "fields"
  ],
  FieldDefinition: ["description", "name", "arguments", "type", "directives"],
  InputValueDefinition: [
    "description",
    "name",
    "type",
    "defaultValue",
    "directives"
  ],
  InterfaceTypeDefinition: [
    "description",
    "name",
    "interfaces",
    "directives",
    "fields"
  ],
  UnionTypeDefinition: ["description", "name", "directives", "types"],
  EnumTypeDefinition: ["description", "name", "directives", "values"],
  EnumValueDefinition: ["description", "name", "directives"],
  InputObjectTypeDefinition: ["description", "name", "directives", "fields"],
  DirectiveDefinition: [
    "description",
    "name",
    "arguments",
    "directives",
    "locations"
  ],
  SchemaExtension: ["directives", "operationTypes"],
  DirectiveExtension: ["name", "directives"],
  ScalarTypeExtension: ["name", "directives"],
  ObjectTypeExtension: ["name", "interfaces", "directives", "fields"],
  InterfaceTypeExtension: ["name", "interfaces", "directives", "fields"],
  UnionTypeExtension: ["name", "directives", "types"],
  EnumTypeExtension: ["name", "directives", "values"],
  InputObjectTypeExtension: ["name", "directives", "fields"],
  TypeCoordinate: ["name"],
  MemberCoordinate: ["name", "memberName"],
  ArgumentCoordinate: ["name", "fieldName", "argumentName"],
  DirectiveCoordinate: ["name"],
  DirectiveArgumentCoordinate: ["name", "argumentName"]
};
var kindValues = new Set(Object.keys(QueryDocumentKeys));
var OperationTypeNode;
(function(OperationTypeNode2) {
  OperationTypeNode2["QUERY"] = "query";
  OperationTypeNode2["MUTATION"] = "mutation";
  OperationTypeNode2["SUBSCRIPTION"] = "subscription";
})(OperationTypeNode || (OperationTypeNode = {}));

// node_modules/graphql/language/directiveLocation.mjs
var DirectiveLocation;
(function(DirectiveLocation2) {
  DirectiveLocation2["QUERY"] = "QUERY";
  DirectiveLocation2["MUTATION"] = "MUTATION";
  DirectiveLocation2["SUBSCRIPTION"] = "SUBSCRIPTION";
  DirectiveLocation2["FIELD"] = "FIELD";
  DirectiveLocation2["FRAGMENT_DEFINITION"] = "FRAGMENT_DEFINITION";
  DirectiveLocation2["FRAGMENT_SPREAD"] = "FRAGMENT_SPREAD";
  DirectiveLocation2["INLINE_FRAGMENT"] = "INLINE_FRAGMENT";
  DirectiveLocation2["VARIABLE_DEFINITION"] = "VARIABLE_DEFINITION";
  DirectiveLocation2["SCHEMA"] = "SCHEMA";
  DirectiveLocation2["SCALAR"] = "SCALAR";
  DirectiveLocation2["OBJECT"] = "OBJECT";
  DirectiveLocation2["FIELD_DEFINITION"] = "FIELD_DEFINITION";
  DirectiveLocation2["ARGUMENT_DEFINITION"] = "ARGUMENT_DEFINITION";
  DirectiveLocation2["INTERFACE"] = "INTERFACE";
  DirectiveLocation2["UNION"] = "UNION";
  DirectiveLocation2["ENUM"] = "ENUM";
  DirectiveLocation2["ENUM_VALUE"] = "ENUM_VALUE";
  DirectiveLocation2["INPUT_OBJECT"] = "INPUT_OBJECT";
  DirectiveLocation2["INPUT_FIELD_DEFINITION"] = "INPUT_FIELD_DEFINITION";
  DirectiveLocation2["DIRECTIVE_DEFINITION"] = "DIRECTIVE_DEFINITION";
})(DirectiveLocation || (DirectiveLocation = {}));

// node_modules/graphql/language/kinds.mjs
var Kind;
(function(Kind2) {
  Kind2["NAME"] = "Name";
  Kind2["DOCUMENT"] = "Document";
  Kind2["OPERATION_DEFINITION"] = "OperationDefinition";
  Kind2["VARIABLE_DEFINITION"] = "VariableDefinition";
  Kind2["SELECTION_SET"] = "SelectionSet";
  Kind2["FIELD"] = "Field";
  Kind2["ARGUMENT"] = "Argument";
  Kind2["FRAGMENT_SPREAD"] = "FragmentSpread";
  Kind2["INLINE_FRAGMENT"] = "InlineFragment";
  Kind2["FRAGMENT_DEFINITION"] = "FragmentDefinition";
  Kind2["VARIABLE"] = "Variable";
  Kind2["INT"] = "IntValue";
  Kind2["FLOAT"] = "FloatValue";
  Kind2["STRING"] = "StringValue";
  Kind2["BOOLEAN"] = "BooleanValue";
  Kind2["NULL"] = "NullValue";
  Kind2["ENUM"] = "EnumValue";
  Kind2["LIST"] = "ListValue";
  Kind2["OBJECT"] = "ObjectValue";
  Kind2["OBJECT_FIELD"] = "ObjectField";
  Kind2["DIRECTIVE"] = "Directive";
  Kind2["NAMED_TYPE"] = "NamedType";
  Kind2["LIST_TYPE"] = "ListType";
  Kind2["NON_NULL_TYPE"] = "NonNullType";
  Kind2["SCHEMA_DEFINITION"] = "SchemaDefinition";
  Kind2["OPERATION_TYPE_DEFINITION"] = "OperationTypeDefinition";
  Kind2["SCALAR_TYPE_DEFINITION"] = "ScalarTypeDefinition";
  Kind2["OBJECT_TYPE_DEFINITION"] = "ObjectTypeDefinition";
  Kind2["FIELD_DEFINITION"] = "FieldDefinition";
  Kind2["INPUT_VALUE_DEFINITION"] = "InputValueDefinition";
  Kind2["INTERFACE_TYPE_DEFINITION"] = "InterfaceTypeDefinition";
  Kind2["UNION_TYPE_DEFINITION"] = "UnionTypeDefinition";
  Kind2["ENUM_TYPE_DEFINITION"] = "EnumTypeDefinition";
  Kind2["ENUM_VALUE_DEFINITION"] = "EnumValueDefinition";
  Kind2["INPUT_OBJECT_TYPE_DEFINITION"] = "InputObjectTypeDefinition";
  Kind2["DIRECTIVE_DEFINITION"] = "DirectiveDefinition";
  Kind2["SCHEMA_EXTENSION"] = "SchemaExtension";
  Kind2["DIRECTIVE_EXTENSION"] = "DirectiveExtension";
  Kind2["SCALAR_TYPE_EXTENSION"] = "ScalarTypeExtension";
  Kind2["OBJECT_TYPE_EXTENSION"] = "ObjectTypeExtension";
  Kind2["INTERFACE_TYPE_EXTENSION"] = "InterfaceTypeExtension";
  Kind2["UNION_TYPE_EXTENSION"] = "UnionTypeExtension";
  Kind2["ENUM_TYPE_EXTENSION"] = "EnumTypeExtension";
  Kind2["INPUT_OBJECT_TYPE_EXTENSION"] = "InputObjectTypeExtension";
  Kind2["TYPE_COORDINATE"] = "TypeCoordinate";
  Kind2["MEMBER_COORDINATE"] = "MemberCoordinate";
  Kind2["ARGUMENT_COORDINATE"] = "ArgumentCoordinate";
  Kind2["DIRECTIVE_COORDINATE"] = "DirectiveCoordinate";
  Kind2["DIRECTIVE_ARGUMENT_COORDINATE"] = "DirectiveArgumentCoordinate";
})(Kind || (Kind = {}));

// node_modules/graphql/language/characterClasses.mjs
function isWhiteSpace(code) {
  return code === 9 || code === 32;
}
function isDigit(code) {
  return code >= 48 && code <= 57;
}
function isLetter(code) {
  return code >= 97 && code <= 122 || // A-Z
  code >= 65 && code <= 90;
}
function isNameStart(code) {
  return isLetter(code) || code === 95;
}
function isNameContinue(code) {
  return isLetter(code) || isDigit(code) || code === 95;
}

// node_modules/graphql/language/blockString.mjs
function dedentBlockStringLines(lines) {
  var _firstNonEmptyLine2;
  let commonIndent = Number.MAX_SAFE_INTEGER;
  let firstNonEmptyLine = null;
  let lastNonEmptyLine = -1;
  for (let i = 0; i < lines.length; ++i) {
    var _firstNonEmptyLine;
    const line = lines[i];
    const indent = leadingWhitespace(line);
    if (indent === line.length) {
      continue;
    }
    firstNonEmptyLine = (_firstNonEmptyLine = firstNonEmptyLine) !== null && _firstNonEmptyLine !== void 0 ? _firstNonEmptyLine : i;
    lastNonEmptyLine = i;
    if (i !== 0 && indent < commonIndent) {
      commonIndent = indent;
    }
  }
  return lines.map((line, i) => i === 0 ? line : line.slice(commonIndent)).slice(
    (_firstNonEmptyLine2 = firstNonEmptyLine) !== null && _firstNonEmptyLine2 !== void 0 ? _firstNonEmptyLine2 : 0,
    lastNonEmptyLine + 1
  );
}
function leadingWhitespace(str) {
  let i = 0;
  while (i < str.length && isWhiteSpace(str.charCodeAt(i))) {
    ++i;
  }
  return i;
}
function printBlockString(value, options) {
  const escapedValue = value.replace(/"""/g, '\\"""');
  const lines = escapedValue.split(/\r\n|[\n\r]/g);
  const isSingleLine = lines.length === 1;
  const forceLeadingNewLine = lines.length > 1 && lines.slice(1).every((line) => line.length === 0 || isWhiteSpace(line.charCodeAt(0)));
  const hasTrailingTripleQuotes = escapedValue.endsWith('\\"""');
  const hasTrailingQuote = value.endsWith('"') && !hasTrailingTripleQuotes;
  const hasTrailingSlash = value.endsWith("\\");
  const forceTrailingNewline = hasTrailingQuote || hasTrailingSlash;
  const printAsMultipleLines = !(options !== null && options !== void 0 && options.minimize) && // add leading and trailing new lines only if it improves readability
  (!isSingleLine || value.length > 70 || forceTrailingNewline || forceLeadingNewLine || hasTrailingTripleQuotes);
  let result = "";
  const skipLeadingNewLine = isSingleLine && isWhiteSpace(value.charCodeAt(0));
  if (printAsMultipleLines && !skipLeadingNewLine || forceLeadingNewLine) {
    result += "\n";
  }
  result += escapedValue;
  if (printAsMultipleLines || forceTrailingNewline) {
    result += "\n";
  }
  return '"""' + result + '"""';
}

// node_modules/graphql/language/tokenKind.mjs
var TokenKind;
(function(TokenKind2) {
  TokenKind2["SOF"] = "<SOF>";
  TokenKind2["EOF"] = "<EOF>";
  TokenKind2["BANG"] = "!";
  TokenKind2["DOLLAR"] = "$";
  TokenKind2["AMP"] = "&";
  TokenKind2["PAREN_L"] = "(";
  TokenKind2["PAREN_R"] = ")";
  TokenKind2["DOT"] = ".";
  TokenKind2["SPREAD"] = "...";
  TokenKind2["COLON"] = ":";
  TokenKind2["EQUALS"] = "=";
  TokenKind2["AT"] = "@";
  TokenKind2["BRACKET_L"] = "[";
  TokenKind2["BRACKET_R"] = "]";
  TokenKind2["BRACE_L"] = "{";
  TokenKind2["PIPE"] = "|";
  TokenKind2["BRACE_R"] = "}";
  TokenKind2["NAME"] = "Name";
  TokenKind2["INT"] = "Int";
  TokenKind2["FLOAT"] = "Float";
  TokenKind2["STRING"] = "String";
  TokenKind2["BLOCK_STRING"] = "BlockString";
  TokenKind2["COMMENT"] = "Comment";
})(TokenKind || (TokenKind = {}));

// node_modules/graphql/language/lexer.mjs
var Lexer = class {
  /** Source document used to derive error locations. */
  /** Most recent non-ignored token returned by the lexer. */
  /** Current non-ignored token at the lexer cursor. */
  /** The (1-indexed) line containing the current token. */
  /** Character offset where the current line starts. */
  /** @internal */
  /** @internal */
  /**
   * Creates a Lexer instance.
   * @param source - Source document used to derive error locations.
   * @example
   * ```ts
   * import { Lexer, Source, TokenKind } from 'graphql/language';
   *
   * const lexer = new Lexer(new Source('{ hello }'));
   *
   * lexer.token.kind; // => TokenKind.SOF
   * lexer.advance().kind; // => TokenKind.BRACE_L
   * lexer.advance().value; // => 'hello'
   * lexer.advance().kind; // => TokenKind.BRACE_R
   * ```
   */
  constructor(source) {
    const startOfFileToken = new Token(TokenKind.SOF, 0, 0, 0, 0);
    this.source = source;
    this.lastToken = startOfFileToken;
    this.token = startOfFileToken;
    this.line = 1;
    this.lineStart = 0;
    this._maxComments = void 0;
    this._commentCount = 0;
  }
  /**
   * Returns the value used by `Object.prototype.toString`.
   * @returns The built-in string tag for this object.
   */
  get [Symbol.toStringTag]() {
    return "Lexer";
  }
  /**
   * Advances the token stream to the next non-ignored token.
   * @returns The next non-ignored token.
   * @example
   * ```ts
   * import { Lexer, Source } from 'graphql/language';
   *
   * const lexer = new Lexer(new Source('{ hello }'));
   * const token = lexer.advance();
   *
   * token.kind; // => '{'
   * lexer.token; // => token
   * ```
   */
  advance() {
    this.lastToken = this.token;
    const token2 = this.token = this.lookahead();
    return token2;
  }
  /**
   * Looks ahead and returns the next non-ignored token, but does not change
   * the state of Lexer.
   * @returns The next non-ignored token without advancing the lexer.
   * @example
   * ```ts
   * import { Lexer, Source } from 'graphql/language';
   *
   * const lexer = new Lexer(new Source('{ hello }'));
   * const token = lexer.lookahead();
   *
   * token.kind; // => '{'
   * lexer.token.kind; // => '<SOF>'
   * ```
   */
  lookahead() {
    let token2 = this.token;
    if (token2.kind !== TokenKind.EOF) {
      do {
        if (token2.next) {
          token2 = token2.next;
        } else {
          const nextToken = readNextToken(this, token2.end);
          token2.next = nextToken;
          nextToken.prev = token2;
          token2 = nextToken;
        }
      } while (token2.kind === TokenKind.COMMENT);
    }
    return token2;
  }
};
function isPunctuatorTokenKind(kind) {
  return kind === TokenKind.BANG || kind === TokenKind.DOLLAR || kind === TokenKind.AMP || kind === TokenKind.PAREN_L || kind === TokenKind.PAREN_R || kind === TokenKind.DOT || kind === TokenKind.SPREAD || kind === TokenKind.COLON || kind === TokenKind.EQUALS || kind === TokenKind.AT || kind === TokenKind.BRACKET_L || kind === TokenKind.BRACKET_R || kind === TokenKind.BRACE_L || kind === TokenKind.PIPE || kind === TokenKind.BRACE_R;
}
function isUnicodeScalarValue(code) {
  return code >= 0 && code <= 55295 || code >= 57344 && code <= 1114111;
}
function isSupplementaryCodePoint(body, location) {
  return isLeadingSurrogate(body.charCodeAt(location)) && isTrailingSurrogate(body.charCodeAt(location + 1));
}
function isLeadingSurrogate(code) {
  return code >= 55296 && code <= 56319;
}
function isTrailingSurrogate(code) {
  return code >= 56320 && code <= 57343;
}
function printCodePointAt(lexer, location) {
  const code = lexer.source.body.codePointAt(location);
  if (code === void 0) {
    return TokenKind.EOF;
  } else if (code >= 32 && code <= 126) {
    const char = String.fromCodePoint(code);
    return char === '"' ? `'"'` : `"${char}"`;
  }
  return "U+" + code.toString(16).toUpperCase().padStart(4, "0");
}
function createToken(lexer, kind, start, end, value) {
  const line = lexer.line;
  const col = 1 + start - lexer.lineStart;
  return new Token(kind, start, end, line, col, value);
}
function readNextToken(lexer, start) {
  const body = lexer.source.body;
  const bodyLength = body.length;
  let position = start;
  while (position < bodyLength) {
    const code = body.charCodeAt(position);
    switch (code) {
      // Ignored ::
      //   - UnicodeBOM
      //   - WhiteSpace
      //   - LineTerminator
      //   - Comment
      //   - Comma
      //
      // UnicodeBOM :: "Byte Order Mark (U+FEFF)"
      //
      // WhiteSpace ::
      //   - "Horizontal Tab (U+0009)"
      //   - "Space (U+0020)"
      //
      // Comma :: ,
      case 65279:
      // <BOM>
      case 9:
      // \t
      case 32:
      // <space>
      case 44:
        ++position;
        continue;
      // LineTerminator ::
      //   - "New Line (U+000A)"
      //   - "Carriage Return (U+000D)" [lookahead != "New Line (U+000A)"]
      //   - "Carriage Return (U+000D)" "New Line (U+000A)"
      case 10:
        ++position;
        ++lexer.line;
        lexer.lineStart = position;
        continue;
      case 13:
        if (body.charCodeAt(position + 1) === 10) {
          position += 2;
        } else {
          ++position;
        }
        ++lexer.line;
        lexer.lineStart = position;
        continue;
      // Comment
      case 35:
        return readComment(lexer, position);
      // Token ::
      //   - Punctuator
      //   - Name
      //   - IntValue
      //   - FloatValue
      //   - StringValue
      //
      // Punctuator :: one of ! $ & ( ) ... : = @ [ ] { | }
      case 33:
        return createToken(lexer, TokenKind.BANG, position, position + 1);
      case 36:
        return createToken(lexer, TokenKind.DOLLAR, position, position + 1);
      case 38:
        return createToken(lexer, TokenKind.AMP, position, position + 1);
      case 40:
        return createToken(lexer, TokenKind.PAREN_L, position, position + 1);
      case 41:
        return createToken(lexer, TokenKind.PAREN_R, position, position + 1);
      case 46:
        if (body.charCodeAt(position + 1) === 46 && body.charCodeAt(position + 2) === 46) {
          return createToken(lexer, TokenKind.SPREAD, position, position + 3);
        }
        break;
      case 58:
        return createToken(lexer, TokenKind.COLON, position, position + 1);
      case 61:
        return createToken(lexer, TokenKind.EQUALS, position, position + 1);
      case 64:
        return createToken(lexer, TokenKind.AT, position, position + 1);
      case 91:
        return createToken(lexer, TokenKind.BRACKET_L, position, position + 1);
      case 93:
        return createToken(lexer, TokenKind.BRACKET_R, position, position + 1);
      case 123:
        return createToken(lexer, TokenKind.BRACE_L, position, position + 1);
      case 124:
        return createToken(lexer, TokenKind.PIPE, position, position + 1);
      case 125:
        return createToken(lexer, TokenKind.BRACE_R, position, position + 1);
      // StringValue
      case 34:
        if (body.charCodeAt(position + 1) === 34 && body.charCodeAt(position + 2) === 34) {
          return readBlockString(lexer, position);
        }
        return readString(lexer, position);
    }
    if (isDigit(code) || code === 45) {
      return readNumber(lexer, position, code);
    }
    if (isNameStart(code)) {
      return readName2(lexer, position);
    }
    throw syntaxError(
      lexer.source,
      position,
      code === 39 ? `Unexpected single quote character ('), did you mean to use a double quote (")?` : isUnicodeScalarValue(code) || isSupplementaryCodePoint(body, position) ? `Unexpected character: ${printCodePointAt(lexer, position)}.` : `Invalid character: ${printCodePointAt(lexer, position)}.`
    );
  }
  return createToken(lexer, TokenKind.EOF, bodyLength, bodyLength);
}
function readComment(lexer, start) {
  const maxComments = lexer._maxComments;
  if (maxComments !== void 0) {
    const nextCommentCount = lexer._commentCount + 1;
    if (nextCommentCount > maxComments) {
      throw syntaxError(
        lexer.source,
        start,
        `Document contains more than ${maxComments} comments. Parsing aborted.`
      );
    }
    lexer._commentCount = nextCommentCount;
  }
  const body = lexer.source.body;
  const bodyLength = body.length;
  let position = start + 1;
  while (position < bodyLength) {
    const code = body.charCodeAt(position);
    if (code === 10 || code === 13) {
      break;
    }
    if (isUnicodeScalarValue(code)) {
      ++position;
    } else if (isSupplementaryCodePoint(body, position)) {
      position += 2;
    } else {
      break;
    }
  }
  return createToken(
    lexer,
    TokenKind.COMMENT,
    start,
    position,
    body.slice(start + 1, position)
  );
}
function readNumber(lexer, start, firstCode) {
  const body = lexer.source.body;
  let position = start;
  let code = firstCode;
  let isFloat = false;
  if (code === 45) {
    code = body.charCodeAt(++position);
  }
  if (code === 48) {
    code = body.charCodeAt(++position);
    if (isDigit(code)) {
      throw syntaxError(
        lexer.source,
        position,
        `Invalid number, unexpected digit after 0: ${printCodePointAt(
          lexer,
          position
        )}.`
      );
    }
  } else {
    position = readDigits(lexer, position, code);
    code = body.charCodeAt(position);
  }
  if (code === 46) {
    isFloat = true;
    code = body.charCodeAt(++position);
    position = readDigits(lexer, position, code);
    code = body.charCodeAt(position);
  }
  if (code === 69 || code === 101) {
    isFloat = true;
    code = body.charCodeAt(++position);
    if (code === 43 || code === 45) {
      code = body.charCodeAt(++position);
    }
    position = readDigits(lexer, position, code);
    code = body.charCodeAt(position);
  }
  if (code === 46 || isNameStart(code)) {
    throw syntaxError(
      lexer.source,
      position,
      `Invalid number, expected digit but got: ${printCodePointAt(
        lexer,
        position
      )}.`
    );
  }
  return createToken(
    lexer,
    isFloat ? TokenKind.FLOAT : TokenKind.INT,
    start,
    position,
    body.slice(start, position)
  );
}
function readDigits(lexer, start, firstCode) {
  if (!isDigit(firstCode)) {
    throw syntaxError(
      lexer.source,
      start,
      `Invalid number, expected digit but got: ${printCodePointAt(
        lexer,
        start
      )}.`
    );
  }
  const body = lexer.source.body;
  let position = start + 1;
  while (isDigit(body.charCodeAt(position))) {
    ++position;
  }
  return position;
}
function readString(lexer, start) {
  const body = lexer.source.body;
  const bodyLength = body.length;
  let position = start + 1;
  let chunkStart = position;
  let value = "";
  while (position < bodyLength) {
    const code = body.charCodeAt(position);
    if (code === 34) {
      value += body.slice(chunkStart, position);
      return createToken(lexer, TokenKind.STRING, start, position + 1, value);
    }
    if (code === 92) {
      value += body.slice(chunkStart, position);
      const escape = body.charCodeAt(position + 1) === 117 ? body.charCodeAt(position + 2) === 123 ? readEscapedUnicodeVariableWidth(lexer, position) : readEscapedUnicodeFixedWidth(lexer, position) : readEscapedCharacter(lexer, position);
      value += escape.value;
      position += escape.size;
      chunkStart = position;
      continue;
    }
    if (code === 10 || code === 13) {
      break;
    }
    if (isUnicodeScalarValue(code)) {
      ++position;
    } else if (isSupplementaryCodePoint(body, position)) {
      position += 2;
    } else {
      throw syntaxError(
        lexer.source,
        position,
        `Invalid character within String: ${printCodePointAt(
          lexer,
          position
        )}.`
      );
    }
  }
  throw syntaxError(lexer.source, position, "Unterminated string.");
}
function readEscapedUnicodeVariableWidth(lexer, position) {
  const body = lexer.source.body;
  let point = 0;
  let size = 3;
  while (size < 12) {
    const code = body.charCodeAt(position + size++);
    if (code === 125) {
      if (size < 5 || !isUnicodeScalarValue(point)) {
        break;
      }
      return {
        value: String.fromCodePoint(point),
        size
      };
    }
    point = point << 4 | readHexDigit(code);
    if (point < 0) {
      break;
    }
  }
  throw syntaxError(
    lexer.source,
    position,
    `Invalid Unicode escape sequence: "${body.slice(
      position,
      position + size
    )}".`
  );
}
function readEscapedUnicodeFixedWidth(lexer, position) {
  const body = lexer.source.body;
  const code = read16BitHexCode(body, position + 2);
  if (isUnicodeScalarValue(code)) {
    return {
      value: String.fromCodePoint(code),
      size: 6
    };
  }
  if (isLeadingSurrogate(code)) {
    if (body.charCodeAt(position + 6) === 92 && body.charCodeAt(position + 7) === 117) {
      const trailingCode = read16BitHexCode(body, position + 8);
      if (isTrailingSurrogate(trailingCode)) {
        return {
          value: String.fromCodePoint(code, trailingCode),
          size: 12
        };
      }
    }
  }
  throw syntaxError(
    lexer.source,
    position,
    `Invalid Unicode escape sequence: "${body.slice(position, position + 6)}".`
  );
}
function read16BitHexCode(body, position) {
  return readHexDigit(body.charCodeAt(position)) << 12 | readHexDigit(body.charCodeAt(position + 1)) << 8 | readHexDigit(body.charCodeAt(position + 2)) << 4 | readHexDigit(body.charCodeAt(position + 3));
}
function readHexDigit(code) {
  return code >= 48 && code <= 57 ? code - 48 : code >= 65 && code <= 70 ? code - 55 : code >= 97 && code <= 102 ? code - 87 : -1;
}
function readEscapedCharacter(lexer, position) {
  const body = lexer.source.body;
  const code = body.charCodeAt(position + 1);
  switch (code) {
    case 34:
      return {
        value: '"',
        size: 2
      };
    case 92:
      return {
        value: "\\",
        size: 2
      };
    case 47:
      return {
        value: "/",
        size: 2
      };
    case 98:
      return {
        value: "\b",
        size: 2
      };
    case 102:
      return {
        value: "\f",
        size: 2
      };
    case 110:
      return {
        value: "\n",
        size: 2
      };
    case 114:
      return {
        value: "\r",
        size: 2
      };
    case 116:
      return {
        value: "	",
        size: 2
      };
  }
  throw syntaxError(
    lexer.source,
    position,
    `Invalid character escape sequence: "${body.slice(
      position,
      position + 2
    )}".`
  );
}
function readBlockString(lexer, start) {
  const body = lexer.source.body;
  const bodyLength = body.length;
  let lineStart2 = lexer.lineStart;
  let position = start + 3;
  let chunkStart = position;
  let currentLine = "";
  const blockLines = [];
  while (position < bodyLength) {
    const code = body.charCodeAt(position);
    if (code === 34 && body.charCodeAt(position + 1) === 34 && body.charCodeAt(position + 2) === 34) {
      currentLine += body.slice(chunkStart, position);
      blockLines.push(currentLine);
      const token2 = createToken(
        lexer,
        TokenKind.BLOCK_STRING,
        start,
        position + 3,
        // Return a string of the lines joined with U+000A.
        dedentBlockStringLines(blockLines).join("\n")
      );
      lexer.line += blockLines.length - 1;
      lexer.lineStart = lineStart2;
      return token2;
    }
    if (code === 92 && body.charCodeAt(position + 1) === 34 && body.charCodeAt(position + 2) === 34 && body.charCodeAt(position + 3) === 34) {
      currentLine += body.slice(chunkStart, position);
      chunkStart = position + 1;
      position += 4;
      continue;
    }
    if (code === 10 || code === 13) {
      currentLine += body.slice(chunkStart, position);
      blockLines.push(currentLine);
      if (code === 13 && body.charCodeAt(position + 1) === 10) {
        position += 2;
      } else {
        ++position;
      }
      currentLine = "";
      chunkStart = position;
      lineStart2 = position;
      continue;
    }
    if (isUnicodeScalarValue(code)) {
      ++position;
    } else if (isSupplementaryCodePoint(body, position)) {
      position += 2;
    } else {
      throw syntaxError(
        lexer.source,
        position,
        `Invalid character within String: ${printCodePointAt(
          lexer,
          position
        )}.`
      );
    }
  }
  throw syntaxError(lexer.source, position, "Unterminated string.");
}
function readName2(lexer, start) {
  const body = lexer.source.body;
  const bodyLength = body.length;
  let position = start + 1;
  while (position < bodyLength) {
    const code = body.charCodeAt(position);
    if (isNameContinue(code)) {
      ++position;
    } else {
      break;
    }
  }
  return createToken(
    lexer,
    TokenKind.NAME,
    start,
    position,
    body.slice(start, position)
  );
}

// node_modules/graphql/jsutils/inspect.mjs
var MAX_ARRAY_LENGTH = 10;
var MAX_RECURSIVE_DEPTH = 2;
function inspect(value) {
  return formatValue(value, []);
}
function formatValue(value, seenValues) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "function":
      return value.name ? `[function ${value.name}]` : "[function]";
    case "object":
      return formatObjectValue(value, seenValues);
    default:
      return String(value);
  }
}
function formatObjectValue(value, previouslySeenValues) {
  if (value === null) {
    return "null";
  }
  if (previouslySeenValues.includes(value)) {
    return "[Circular]";
  }
  const seenValues = [...previouslySeenValues, value];
  if (isJSONable(value)) {
    const jsonValue = value.toJSON();
    if (jsonValue !== value) {
      return typeof jsonValue === "string" ? jsonValue : formatValue(jsonValue, seenValues);
    }
  } else if (Array.isArray(value)) {
    return formatArray(value, seenValues);
  }
  return formatObject(value, seenValues);
}
function isJSONable(value) {
  return typeof value.toJSON === "function";
}
function formatObject(object2, seenValues) {
  const entries = Object.entries(object2);
  if (entries.length === 0) {
    return "{}";
  }
  if (seenValues.length > MAX_RECURSIVE_DEPTH) {
    return "[" + getObjectTag(object2) + "]";
  }
  const properties = entries.map(
    ([key2, value]) => key2 + ": " + formatValue(value, seenValues)
  );
  return "{ " + properties.join(", ") + " }";
}
function formatArray(array2, seenValues) {
  if (array2.length === 0) {
    return "[]";
  }
  if (seenValues.length > MAX_RECURSIVE_DEPTH) {
    return "[Array]";
  }
  const len = Math.min(MAX_ARRAY_LENGTH, array2.length);
  const remaining2 = array2.length - len;
  const items = [];
  for (let i = 0; i < len; ++i) {
    items.push(formatValue(array2[i], seenValues));
  }
  if (remaining2 === 1) {
    items.push("... 1 more item");
  } else if (remaining2 > 1) {
    items.push(`... ${remaining2} more items`);
  }
  return "[" + items.join(", ") + "]";
}
function getObjectTag(object2) {
  const tag = Object.prototype.toString.call(object2).replace(/^\[object /, "").replace(/]$/, "");
  if (tag === "Object" && typeof object2.constructor === "function") {
    const name = object2.constructor.name;
    if (typeof name === "string" && name !== "") {
      return name;
    }
  }
  return tag;
}

// node_modules/graphql/jsutils/instanceOf.mjs
var isProduction = globalThis.process && // eslint-disable-next-line no-undef
process.env.NODE_ENV === "production";
var instanceOf = (
  /* c8 ignore next 6 */
  // FIXME: https://github.com/graphql/graphql-js/issues/2317
  isProduction ? function instanceOf2(value, constructor) {
    return value instanceof constructor;
  } : function instanceOf3(value, constructor) {
    if (value instanceof constructor) {
      return true;
    }
    if (typeof value === "object" && value !== null) {
      var _value$constructor;
      const className = constructor.prototype[Symbol.toStringTag];
      const valueClassName = (
        // We still need to support constructor's name to detect conflicts with older versions of this library.
        Symbol.toStringTag in value ? value[Symbol.toStringTag] : (_value$constructor = value.constructor) === null || _value$constructor === void 0 ? void 0 : _value$constructor.name
      );
      if (className === valueClassName) {
        const stringifiedValue = inspect(value);
        throw new Error(`Cannot use ${className} "${stringifiedValue}" from another module or realm.

Ensure that there is only one instance of "graphql" in the node_modules
directory. If different versions of "graphql" are the dependencies of other
relied on modules, use "resolutions" to ensure only one version is installed.

https://yarnpkg.com/en/docs/selective-version-resolutions

Duplicate "graphql" modules cannot be used at the same time since different
versions may have different capabilities and behavior. The data from one
version used in the function from another could produce confusing and
spurious results.`);
      }
    }
    return false;
  }
);

// node_modules/graphql/language/source.mjs
var Source = class {
  /** The GraphQL source text. */
  /** Name used in diagnostics for this source, such as a file path or request name. */
  /** One-indexed line and column where this source begins. */
  /**
   * Creates a Source instance.
   * @param body - The GraphQL source text.
   * @param name - Name used in diagnostics for this source.
   * @param locationOffset - One-indexed line and column where this source begins.
   * @example
   * ```ts
   * import { Source } from 'graphql/language';
   *
   * const source = new Source('type Query { greeting: String }', 'schema.graphql', {
   *   line: 10,
   *   column: 1,
   * });
   *
   * source.body; // => 'type Query { greeting: String }'
   * source.name; // => 'schema.graphql'
   * source.locationOffset; // => { line: 10, column: 1 }
   * ```
   */
  constructor(body, name = "GraphQL request", locationOffset = {
    line: 1,
    column: 1
  }) {
    typeof body === "string" || devAssert(false, `Body must be a string. Received: ${inspect(body)}.`);
    this.body = body;
    this.name = name;
    this.locationOffset = locationOffset;
    this.locationOffset.line > 0 || devAssert(
      false,
      "line in locationOffset is 1-indexed and must be positive."
    );
    this.locationOffset.column > 0 || devAssert(
      false,
      "column in locationOffset is 1-indexed and must be positive."
    );
  }
  /**
   * Returns the value used by `Object.prototype.toString`.
   * @returns The built-in string tag for this object.
   */
  get [Symbol.toStringTag]() {
    return "Source";
  }
};
function isSource(source) {
  return instanceOf(source, Source);
}

// node_modules/graphql/language/parser.mjs
function parse(source, options) {
  const parser = new Parser(source, options);
  const document = parser.parseDocument();
  Object.defineProperty(document, "tokenCount", {
    enumerable: false,
    value: parser.tokenCount
  });
  return document;
}
var Parser = class {
  constructor(source, options = {}) {
    const { lexer, ..._options } = options;
    if (lexer) {
      this._lexer = lexer;
    } else {
      const sourceObj = isSource(source) ? source : new Source(source);
      this._lexer = new Lexer(sourceObj);
    }
    this._options = _options;
    this._tokenCounter = 0;
    this._lexer._maxComments = options === null || options === void 0 ? void 0 : options.maxComments;
    this._lexer._commentCount = 0;
    const maxSourceLength = options === null || options === void 0 ? void 0 : options.maxSourceLength;
    if (maxSourceLength !== void 0 && this._lexer.source.body.length > maxSourceLength) {
      throw syntaxError(
        this._lexer.source,
        maxSourceLength,
        `Source contains more than ${maxSourceLength} UTF-16 code units. Parsing aborted.`
      );
    }
  }
  get tokenCount() {
    return this._tokenCounter;
  }
  /**
   * Converts a name lex token into a name parse node.
   *
   * @internal
   */
  parseName() {
    const token2 = this.expectToken(TokenKind.NAME);
    return this.node(token2, {
      kind: Kind.NAME,
      value: token2.value
    });
  }
  // Implements the parsing rules in the Document section.
  /**
   * Document : Definition+
   *
   * @internal
   */
  parseDocument() {
    return this.node(this._lexer.token, {
      kind: Kind.DOCUMENT,
      definitions: this.many(
        TokenKind.SOF,
        this.parseDefinition,
        TokenKind.EOF
      )
    });
  }
  /**
   * Definition :
   *   - ExecutableDefinition
   *   - TypeSystemDefinition
   *   - TypeSystemExtension
   *
   * ExecutableDefinition :
   *   - OperationDefinition
   *   - FragmentDefinition
   *
   * TypeSystemDefinition :
   *   - SchemaDefinition
   *   - TypeDefinition
   *   - DirectiveDefinition
   *
   * TypeDefinition :
   *   - ScalarTypeDefinition
   *   - ObjectTypeDefinition
   *   - InterfaceTypeDefinition
   *   - UnionTypeDefinition
   *   - EnumTypeDefinition
   *   - InputObjectTypeDefinition
   *
   * @internal
   */
  parseDefinition() {
    if (this.peek(TokenKind.BRACE_L)) {
      return this.parseOperationDefinition();
    }
    const hasDescription = this.peekDescription();
    const keywordToken = hasDescription ? this._lexer.lookahead() : this._lexer.token;
    if (hasDescription && keywordToken.kind === TokenKind.BRACE_L) {
      throw syntaxError(
        this._lexer.source,
        this._lexer.token.start,
        "Unexpected description, descriptions are not supported on shorthand queries."
      );
    }
    if (keywordToken.kind === TokenKind.NAME) {
      switch (keywordToken.value) {
        case "schema":
          return this.parseSchemaDefinition();
        case "scalar":
          return this.parseScalarTypeDefinition();
        case "type":
          return this.parseObjectTypeDefinition();
        case "interface":
          return this.parseInterfaceTypeDefinition();
        case "union":
          return this.parseUnionTypeDefinition();
        case "enum":
          return this.parseEnumTypeDefinition();
        case "input":
          return this.parseInputObjectTypeDefinition();
        case "directive":
          return this.parseDirectiveDefinition();
      }
      switch (keywordToken.value) {
        case "query":
        case "mutation":
        case "subscription":
          return this.parseOperationDefinition();
        case "fragment":
          return this.parseFragmentDefinition();
      }
      if (hasDescription) {
        throw syntaxError(
          this._lexer.source,
          this._lexer.token.start,
          "Unexpected description, only GraphQL definitions support descriptions."
        );
      }
      switch (keywordToken.value) {
        case "extend":
          return this.parseTypeSystemExtension();
      }
    }
    throw this.unexpected(keywordToken);
  }
  // Implements the parsing rules in the Operations section.
  /**
   * OperationDefinition :
   *  - SelectionSet
   *  - OperationType Name? VariableDefinitions? Directives? SelectionSet
   *
   * @internal
   */
  parseOperationDefinition() {
    const start = this._lexer.token;
    if (this.peek(TokenKind.BRACE_L)) {
      return this.node(start, {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        description: void 0,
        name: void 0,
        variableDefinitions: [],
        directives: [],
        selectionSet: this.parseSelectionSet()
      });
    }
    const description = this.parseDescription();
    const operation = this.parseOperationType();
    let name;
    if (this.peek(TokenKind.NAME)) {
      name = this.parseName();
    }
    return this.node(start, {
      kind: Kind.OPERATION_DEFINITION,
      operation,
      description,
      name,
      variableDefinitions: this.parseVariableDefinitions(),
      directives: this.parseDirectives(false),
      selectionSet: this.parseSelectionSet()
    });
  }
  /**
   * OperationType : one of query mutation subscription
   *
   * @internal
   */
  parseOperationType() {
    const operationToken = this.expectToken(TokenKind.NAME);
    switch (operationToken.value) {
      case "query":
        return OperationTypeNode.QUERY;
      case "mutation":
        return OperationTypeNode.MUTATION;
      case "subscription":
        return OperationTypeNode.SUBSCRIPTION;
    }
    throw this.unexpected(operationToken);
  }
  /**
   * VariableDefinitions : ( VariableDefinition+ )
   *
   * @internal
   */
  parseVariableDefinitions() {
    return this.optionalMany(
      TokenKind.PAREN_L,
      this.parseVariableDefinition,
      TokenKind.PAREN_R
    );
  }
  /**
   * VariableDefinition : Variable : Type DefaultValue? Directives[Const]?
   *
   * @internal
   */
  parseVariableDefinition() {
    return this.node(this._lexer.token, {
      kind: Kind.VARIABLE_DEFINITION,
      description: this.parseDescription(),
      variable: this.parseVariable(),
      type: (this.expectToken(TokenKind.COLON), this.parseTypeReference()),
      defaultValue: this.expectOptionalToken(TokenKind.EQUALS) ? this.parseConstValueLiteral() : void 0,
      directives: this.parseConstDirectives()
    });
  }
  /**
   * Variable : $ Name
   *
   * @internal
   */
  parseVariable() {
    const start = this._lexer.token;
    this.expectToken(TokenKind.DOLLAR);
    return this.node(start, {
      kind: Kind.VARIABLE,
      name: this.parseName()
    });
  }
  /**
   * ```
   * SelectionSet : { Selection+ }
   * ```
   *
   * @internal
   */
  parseSelectionSet() {
    return this.node(this._lexer.token, {
      kind: Kind.SELECTION_SET,
      selections: this.many(
        TokenKind.BRACE_L,
        this.parseSelection,
        TokenKind.BRACE_R
      )
    });
  }
  /**
   * Selection :
   *   - Field
   *   - FragmentSpread
   *   - InlineFragment
   *
   * @internal
   */
  parseSelection() {
    return this.peek(TokenKind.SPREAD) ? this.parseFragment() : this.parseField();
  }
  /**
   * Field : Alias? Name Arguments? Directives? SelectionSet?
   *
   * Alias : Name :
   *
   * @internal
   */
  parseField() {
    const start = this._lexer.token;
    const nameOrAlias = this.parseName();
    let alias;
    let name;
    if (this.expectOptionalToken(TokenKind.COLON)) {
      alias = nameOrAlias;
      name = this.parseName();
    } else {
      name = nameOrAlias;
    }
    return this.node(start, {
      kind: Kind.FIELD,
      alias,
      name,
      arguments: this.parseArguments(false),
      directives: this.parseDirectives(false),
      selectionSet: this.peek(TokenKind.BRACE_L) ? this.parseSelectionSet() : void 0
    });
  }
  /**
   * Arguments[Const] : ( Argument[?Const]+ )
   *
   * @internal
   */
  parseArguments(isConst) {
    const item = isConst ? this.parseConstArgument : this.parseArgument;
    return this.optionalMany(TokenKind.PAREN_L, item, TokenKind.PAREN_R);
  }
  /**
   * Argument[Const] : Name : Value[?Const]
   *
   * @internal
   */
  parseArgument(isConst = false) {
    const start = this._lexer.token;
    const name = this.parseName();
    this.expectToken(TokenKind.COLON);
    return this.node(start, {
      kind: Kind.ARGUMENT,
      name,
      value: this.parseValueLiteral(isConst)
    });
  }
  parseConstArgument() {
    return this.parseArgument(true);
  }
  // Implements the parsing rules in the Fragments section.
  /**
   * Corresponds to both FragmentSpread and InlineFragment in the spec.
   *
   * FragmentSpread : ... FragmentName Directives?
   *
   * InlineFragment : ... TypeCondition? Directives? SelectionSet
   *
   * @internal
   */
  parseFragment() {
    const start = this._lexer.token;
    this.expectToken(TokenKind.SPREAD);
    const hasTypeCondition = this.expectOptionalKeyword("on");
    if (!hasTypeCondition && this.peek(TokenKind.NAME)) {
      return this.node(start, {
        kind: Kind.FRAGMENT_SPREAD,
        name: this.parseFragmentName(),
        directives: this.parseDirectives(false)
      });
    }
    return this.node(start, {
      kind: Kind.INLINE_FRAGMENT,
      typeCondition: hasTypeCondition ? this.parseNamedType() : void 0,
      directives: this.parseDirectives(false),
      selectionSet: this.parseSelectionSet()
    });
  }
  /**
   * FragmentDefinition :
   *   - fragment FragmentName on TypeCondition Directives? SelectionSet
   *
   * TypeCondition : NamedType
   *
   * @internal
   */
  parseFragmentDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("fragment");
    if (this._options.allowLegacyFragmentVariables === true) {
      return this.node(start, {
        kind: Kind.FRAGMENT_DEFINITION,
        description,
        name: this.parseFragmentName(),
        variableDefinitions: this.parseVariableDefinitions(),
        typeCondition: (this.expectKeyword("on"), this.parseNamedType()),
        directives: this.parseDirectives(false),
        selectionSet: this.parseSelectionSet()
      });
    }
    return this.node(start, {
      kind: Kind.FRAGMENT_DEFINITION,
      description,
      name: this.parseFragmentName(),
      typeCondition: (this.expectKeyword("on"), this.parseNamedType()),
      directives: this.parseDirectives(false),
      selectionSet: this.parseSelectionSet()
    });
  }
  /**
   * FragmentName : Name but not `on`
   *
   * @internal
   */
  parseFragmentName() {
    if (this._lexer.token.value === "on") {
      throw this.unexpected();
    }
    return this.parseName();
  }
  // Implements the parsing rules in the Values section.
  /**
   * Value[Const] :
   *   - [~Const] Variable
   *   - IntValue
   *   - FloatValue
   *   - StringValue
   *   - BooleanValue
   *   - NullValue
   *   - EnumValue
   *   - ListValue[?Const]
   *   - ObjectValue[?Const]
   *
   * BooleanValue : one of `true` `false`
   *
   * NullValue : `null`
   *
   * EnumValue : Name but not `true`, `false` or `null`
   *
   * @internal
   */
  parseValueLiteral(isConst) {
    const token2 = this._lexer.token;
    switch (token2.kind) {
      case TokenKind.BRACKET_L:
        return this.parseList(isConst);
      case TokenKind.BRACE_L:
        return this.parseObject(isConst);
      case TokenKind.INT:
        this.advanceLexer();
        return this.node(token2, {
          kind: Kind.INT,
          value: token2.value
        });
      case TokenKind.FLOAT:
        this.advanceLexer();
        return this.node(token2, {
          kind: Kind.FLOAT,
          value: token2.value
        });
      case TokenKind.STRING:
      case TokenKind.BLOCK_STRING:
        return this.parseStringLiteral();
      case TokenKind.NAME:
        this.advanceLexer();
        switch (token2.value) {
          case "true":
            return this.node(token2, {
              kind: Kind.BOOLEAN,
              value: true
            });
          case "false":
            return this.node(token2, {
              kind: Kind.BOOLEAN,
              value: false
            });
          case "null":
            return this.node(token2, {
              kind: Kind.NULL
            });
          default:
            return this.node(token2, {
              kind: Kind.ENUM,
              value: token2.value
            });
        }
      case TokenKind.DOLLAR:
        if (isConst) {
          this.expectToken(TokenKind.DOLLAR);
          if (this._lexer.token.kind === TokenKind.NAME) {
            const varName = this._lexer.token.value;
            throw syntaxError(
              this._lexer.source,
              token2.start,
              `Unexpected variable "$${varName}" in constant value.`
            );
          } else {
            throw this.unexpected(token2);
          }
        }
        return this.parseVariable();
      default:
        throw this.unexpected();
    }
  }
  parseConstValueLiteral() {
    return this.parseValueLiteral(true);
  }
  parseStringLiteral() {
    const token2 = this._lexer.token;
    this.advanceLexer();
    return this.node(token2, {
      kind: Kind.STRING,
      value: token2.value,
      block: token2.kind === TokenKind.BLOCK_STRING
    });
  }
  /**
   * ListValue[Const] :
   *   - [ ]
   *   - [ Value[?Const]+ ]
   *
   * @internal
   */
  parseList(isConst) {
    const item = () => this.parseValueLiteral(isConst);
    return this.node(this._lexer.token, {
      kind: Kind.LIST,
      values: this.any(TokenKind.BRACKET_L, item, TokenKind.BRACKET_R)
    });
  }
  /**
   * ```
   * ObjectValue[Const] :
   *   - { }
   *   - { ObjectField[?Const]+ }
   * ```
   *
   * @internal
   */
  parseObject(isConst) {
    const item = () => this.parseObjectField(isConst);
    return this.node(this._lexer.token, {
      kind: Kind.OBJECT,
      fields: this.any(TokenKind.BRACE_L, item, TokenKind.BRACE_R)
    });
  }
  /**
   * ObjectField[Const] : Name : Value[?Const]
   *
   * @internal
   */
  parseObjectField(isConst) {
    const start = this._lexer.token;
    const name = this.parseName();
    this.expectToken(TokenKind.COLON);
    return this.node(start, {
      kind: Kind.OBJECT_FIELD,
      name,
      value: this.parseValueLiteral(isConst)
    });
  }
  // Implements the parsing rules in the Directives section.
  /**
   * Directives[Const] : Directive[?Const]+
   *
   * @internal
   */
  parseDirectives(isConst) {
    const directives = [];
    while (this.peek(TokenKind.AT)) {
      directives.push(this.parseDirective(isConst));
    }
    return directives;
  }
  parseConstDirectives() {
    return this.parseDirectives(true);
  }
  /**
   * ```
   * Directive[Const] : @ Name Arguments[?Const]?
   * ```
   *
   * @internal
   */
  parseDirective(isConst) {
    const start = this._lexer.token;
    this.expectToken(TokenKind.AT);
    return this.node(start, {
      kind: Kind.DIRECTIVE,
      name: this.parseName(),
      arguments: this.parseArguments(isConst)
    });
  }
  // Implements the parsing rules in the Types section.
  /**
   * Type :
   *   - NamedType
   *   - ListType
   *   - NonNullType
   *
   * @internal
   */
  parseTypeReference() {
    const start = this._lexer.token;
    let type;
    if (this.expectOptionalToken(TokenKind.BRACKET_L)) {
      const innerType = this.parseTypeReference();
      this.expectToken(TokenKind.BRACKET_R);
      type = this.node(start, {
        kind: Kind.LIST_TYPE,
        type: innerType
      });
    } else {
      type = this.parseNamedType();
    }
    if (this.expectOptionalToken(TokenKind.BANG)) {
      return this.node(start, {
        kind: Kind.NON_NULL_TYPE,
        type
      });
    }
    return type;
  }
  /**
   * NamedType : Name
   *
   * @internal
   */
  parseNamedType() {
    return this.node(this._lexer.token, {
      kind: Kind.NAMED_TYPE,
      name: this.parseName()
    });
  }
  // Implements the parsing rules in the Type Definition section.
  peekDescription() {
    return this.peek(TokenKind.STRING) || this.peek(TokenKind.BLOCK_STRING);
  }
  /**
   * Description : StringValue
   *
   * @internal
   */
  parseDescription() {
    if (this.peekDescription()) {
      return this.parseStringLiteral();
    }
  }
  /**
   * ```
   * SchemaDefinition : Description? schema Directives[Const]? { OperationTypeDefinition+ }
   * ```
   *
   * @internal
   */
  parseSchemaDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("schema");
    const directives = this.parseConstDirectives();
    const operationTypes = this.many(
      TokenKind.BRACE_L,
      this.parseOperationTypeDefinition,
      TokenKind.BRACE_R
    );
    return this.node(start, {
      kind: Kind.SCHEMA_DEFINITION,
      description,
      directives,
      operationTypes
    });
  }
  /**
   * OperationTypeDefinition : OperationType : NamedType
   *
   * @internal
   */
  parseOperationTypeDefinition() {
    const start = this._lexer.token;
    const operation = this.parseOperationType();
    this.expectToken(TokenKind.COLON);
    const type = this.parseNamedType();
    return this.node(start, {
      kind: Kind.OPERATION_TYPE_DEFINITION,
      operation,
      type
    });
  }
  /**
   * ScalarTypeDefinition : Description? scalar Name Directives[Const]?
   *
   * @internal
   */
  parseScalarTypeDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("scalar");
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    return this.node(start, {
      kind: Kind.SCALAR_TYPE_DEFINITION,
      description,
      name,
      directives
    });
  }
  /**
   * ObjectTypeDefinition :
   *   Description?
   *   type Name ImplementsInterfaces? Directives[Const]? FieldsDefinition?
   *
   * @internal
   */
  parseObjectTypeDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("type");
    const name = this.parseName();
    const interfaces = this.parseImplementsInterfaces();
    const directives = this.parseConstDirectives();
    const fields3 = this.parseFieldsDefinition();
    return this.node(start, {
      kind: Kind.OBJECT_TYPE_DEFINITION,
      description,
      name,
      interfaces,
      directives,
      fields: fields3
    });
  }
  /**
   * ImplementsInterfaces :
   *   - implements `&`? NamedType
   *   - ImplementsInterfaces & NamedType
   *
   * @internal
   */
  parseImplementsInterfaces() {
    return this.expectOptionalKeyword("implements") ? this.delimitedMany(TokenKind.AMP, this.parseNamedType) : [];
  }
  /**
   * ```
   * FieldsDefinition : { FieldDefinition+ }
   * ```
   *
   * @internal
   */
  parseFieldsDefinition() {
    return this.optionalMany(
      TokenKind.BRACE_L,
      this.parseFieldDefinition,
      TokenKind.BRACE_R
    );
  }
  /**
   * FieldDefinition :
   *   - Description? Name ArgumentsDefinition? : Type Directives[Const]?
   *
   * @internal
   */
  parseFieldDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    const name = this.parseName();
    const args = this.parseArgumentDefs();
    this.expectToken(TokenKind.COLON);
    const type = this.parseTypeReference();
    const directives = this.parseConstDirectives();
    return this.node(start, {
      kind: Kind.FIELD_DEFINITION,
      description,
      name,
      arguments: args,
      type,
      directives
    });
  }
  /**
   * ArgumentsDefinition : ( InputValueDefinition+ )
   *
   * @internal
   */
  parseArgumentDefs() {
    return this.optionalMany(
      TokenKind.PAREN_L,
      this.parseInputValueDef,
      TokenKind.PAREN_R
    );
  }
  /**
   * InputValueDefinition :
   *   - Description? Name : Type DefaultValue? Directives[Const]?
   *
   * @internal
   */
  parseInputValueDef() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    const name = this.parseName();
    this.expectToken(TokenKind.COLON);
    const type = this.parseTypeReference();
    let defaultValue;
    if (this.expectOptionalToken(TokenKind.EQUALS)) {
      defaultValue = this.parseConstValueLiteral();
    }
    const directives = this.parseConstDirectives();
    return this.node(start, {
      kind: Kind.INPUT_VALUE_DEFINITION,
      description,
      name,
      type,
      defaultValue,
      directives
    });
  }
  /**
   * InterfaceTypeDefinition :
   *   - Description? interface Name Directives[Const]? FieldsDefinition?
   *
   * @internal
   */
  parseInterfaceTypeDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("interface");
    const name = this.parseName();
    const interfaces = this.parseImplementsInterfaces();
    const directives = this.parseConstDirectives();
    const fields3 = this.parseFieldsDefinition();
    return this.node(start, {
      kind: Kind.INTERFACE_TYPE_DEFINITION,
      description,
      name,
      interfaces,
      directives,
      fields: fields3
    });
  }
  /**
   * UnionTypeDefinition :
   *   - Description? union Name Directives[Const]? UnionMemberTypes?
   *
   * @internal
   */
  parseUnionTypeDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("union");
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    const types = this.parseUnionMemberTypes();
    return this.node(start, {
      kind: Kind.UNION_TYPE_DEFINITION,
      description,
      name,
      directives,
      types
    });
  }
  /**
   * UnionMemberTypes :
   *   - = `|`? NamedType
   *   - UnionMemberTypes | NamedType
   *
   * @internal
   */
  parseUnionMemberTypes() {
    return this.expectOptionalToken(TokenKind.EQUALS) ? this.delimitedMany(TokenKind.PIPE, this.parseNamedType) : [];
  }
  /**
   * EnumTypeDefinition :
   *   - Description? enum Name Directives[Const]? EnumValuesDefinition?
   *
   * @internal
   */
  parseEnumTypeDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("enum");
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    const values = this.parseEnumValuesDefinition();
    return this.node(start, {
      kind: Kind.ENUM_TYPE_DEFINITION,
      description,
      name,
      directives,
      values
    });
  }
  /**
   * ```
   * EnumValuesDefinition : { EnumValueDefinition+ }
   * ```
   *
   * @internal
   */
  parseEnumValuesDefinition() {
    return this.optionalMany(
      TokenKind.BRACE_L,
      this.parseEnumValueDefinition,
      TokenKind.BRACE_R
    );
  }
  /**
   * EnumValueDefinition : Description? EnumValue Directives[Const]?
   *
   * @internal
   */
  parseEnumValueDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    const name = this.parseEnumValueName();
    const directives = this.parseConstDirectives();
    return this.node(start, {
      kind: Kind.ENUM_VALUE_DEFINITION,
      description,
      name,
      directives
    });
  }
  /**
   * EnumValue : Name but not `true`, `false` or `null`
   *
   * @internal
   */
  parseEnumValueName() {
    if (this._lexer.token.value === "true" || this._lexer.token.value === "false" || this._lexer.token.value === "null") {
      throw syntaxError(
        this._lexer.source,
        this._lexer.token.start,
        `${getTokenDesc(
          this._lexer.token
        )} is reserved and cannot be used for an enum value.`
      );
    }
    return this.parseName();
  }
  /**
   * InputObjectTypeDefinition :
   *   - Description? input Name Directives[Const]? InputFieldsDefinition?
   *
   * @internal
   */
  parseInputObjectTypeDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("input");
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    const fields3 = this.parseInputFieldsDefinition();
    return this.node(start, {
      kind: Kind.INPUT_OBJECT_TYPE_DEFINITION,
      description,
      name,
      directives,
      fields: fields3
    });
  }
  /**
   * ```
   * InputFieldsDefinition : { InputValueDefinition+ }
   * ```
   *
   * @internal
   */
  parseInputFieldsDefinition() {
    return this.optionalMany(
      TokenKind.BRACE_L,
      this.parseInputValueDef,
      TokenKind.BRACE_R
    );
  }
  /**
   * TypeSystemExtension :
   *   - SchemaExtension
   *   - TypeExtension
   *
   * TypeExtension :
   *   - ScalarTypeExtension
   *   - ObjectTypeExtension
   *   - InterfaceTypeExtension
   *   - UnionTypeExtension
   *   - EnumTypeExtension
   *   - InputObjectTypeDefinition
   *   - DirectiveDefinitionExtension
   *
   * @internal
   */
  parseTypeSystemExtension() {
    const keywordToken = this._lexer.lookahead();
    if (keywordToken.kind === TokenKind.NAME) {
      switch (keywordToken.value) {
        case "schema":
          return this.parseSchemaExtension();
        case "scalar":
          return this.parseScalarTypeExtension();
        case "type":
          return this.parseObjectTypeExtension();
        case "interface":
          return this.parseInterfaceTypeExtension();
        case "union":
          return this.parseUnionTypeExtension();
        case "enum":
          return this.parseEnumTypeExtension();
        case "input":
          return this.parseInputObjectTypeExtension();
        case "directive":
          if (this._options.experimentalDirectivesOnDirectiveDefinitions) {
            return this.parseDirectiveDefinitionExtension();
          }
          break;
      }
    }
    throw this.unexpected(keywordToken);
  }
  /**
   * ```
   * SchemaExtension :
   *  - extend schema Directives[Const]? { OperationTypeDefinition+ }
   *  - extend schema Directives[Const]
   * ```
   *
   * @internal
   */
  parseSchemaExtension() {
    const start = this._lexer.token;
    this.expectKeyword("extend");
    this.expectKeyword("schema");
    const directives = this.parseConstDirectives();
    const operationTypes = this.optionalMany(
      TokenKind.BRACE_L,
      this.parseOperationTypeDefinition,
      TokenKind.BRACE_R
    );
    if (directives.length === 0 && operationTypes.length === 0) {
      throw this.unexpected();
    }
    return this.node(start, {
      kind: Kind.SCHEMA_EXTENSION,
      directives,
      operationTypes
    });
  }
  /**
   * ScalarTypeExtension :
   *   - extend scalar Name Directives[Const]
   *
   * @internal
   */
  parseScalarTypeExtension() {
    const start = this._lexer.token;
    this.expectKeyword("extend");
    this.expectKeyword("scalar");
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    if (directives.length === 0) {
      throw this.unexpected();
    }
    return this.node(start, {
      kind: Kind.SCALAR_TYPE_EXTENSION,
      name,
      directives
    });
  }
  /**
   * ObjectTypeExtension :
   *  - extend type Name ImplementsInterfaces? Directives[Const]? FieldsDefinition
   *  - extend type Name ImplementsInterfaces? Directives[Const]
   *  - extend type Name ImplementsInterfaces
   *
   * @internal
   */
  parseObjectTypeExtension() {
    const start = this._lexer.token;
    this.expectKeyword("extend");
    this.expectKeyword("type");
    const name = this.parseName();
    const interfaces = this.parseImplementsInterfaces();
    const directives = this.parseConstDirectives();
    const fields3 = this.parseFieldsDefinition();
    if (interfaces.length === 0 && directives.length === 0 && fields3.length === 0) {
      throw this.unexpected();
    }
    return this.node(start, {
      kind: Kind.OBJECT_TYPE_EXTENSION,
      name,
      interfaces,
      directives,
      fields: fields3
    });
  }
  /**
   * InterfaceTypeExtension :
   *  - extend interface Name ImplementsInterfaces? Directives[Const]? FieldsDefinition
   *  - extend interface Name ImplementsInterfaces? Directives[Const]
   *  - extend interface Name ImplementsInterfaces
   *
   * @internal
   */
  parseInterfaceTypeExtension() {
    const start = this._lexer.token;
    this.expectKeyword("extend");
    this.expectKeyword("interface");
    const name = this.parseName();
    const interfaces = this.parseImplementsInterfaces();
    const directives = this.parseConstDirectives();
    const fields3 = this.parseFieldsDefinition();
    if (interfaces.length === 0 && directives.length === 0 && fields3.length === 0) {
      throw this.unexpected();
    }
    return this.node(start, {
      kind: Kind.INTERFACE_TYPE_EXTENSION,
      name,
      interfaces,
      directives,
      fields: fields3
    });
  }
  /**
   * UnionTypeExtension :
   *   - extend union Name Directives[Const]? UnionMemberTypes
   *   - extend union Name Directives[Const]
   *
   * @internal
   */
  parseUnionTypeExtension() {
    const start = this._lexer.token;
    this.expectKeyword("extend");
    this.expectKeyword("union");
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    const types = this.parseUnionMemberTypes();
    if (directives.length === 0 && types.length === 0) {
      throw this.unexpected();
    }
    return this.node(start, {
      kind: Kind.UNION_TYPE_EXTENSION,
      name,
      directives,
      types
    });
  }
  /**
   * EnumTypeExtension :
   *   - extend enum Name Directives[Const]? EnumValuesDefinition
   *   - extend enum Name Directives[Const]
   *
   * @internal
   */
  parseEnumTypeExtension() {
    const start = this._lexer.token;
    this.expectKeyword("extend");
    this.expectKeyword("enum");
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    const values = this.parseEnumValuesDefinition();
    if (directives.length === 0 && values.length === 0) {
      throw this.unexpected();
    }
    return this.node(start, {
      kind: Kind.ENUM_TYPE_EXTENSION,
      name,
      directives,
      values
    });
  }
  /**
   * InputObjectTypeExtension :
   *   - extend input Name Directives[Const]? InputFieldsDefinition
   *   - extend input Name Directives[Const]
   *
   * @internal
   */
  parseInputObjectTypeExtension() {
    const start = this._lexer.token;
    this.expectKeyword("extend");
    this.expectKeyword("input");
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    const fields3 = this.parseInputFieldsDefinition();
    if (directives.length === 0 && fields3.length === 0) {
      throw this.unexpected();
    }
    return this.node(start, {
      kind: Kind.INPUT_OBJECT_TYPE_EXTENSION,
      name,
      directives,
      fields: fields3
    });
  }
  parseDirectiveDefinitionExtension() {
    const start = this._lexer.token;
    this.expectKeyword("extend");
    this.expectKeyword("directive");
    this.expectToken(TokenKind.AT);
    const name = this.parseName();
    const directives = this.parseConstDirectives();
    if (directives.length === 0) {
      throw this.unexpected();
    }
    return this.node(start, {
      kind: Kind.DIRECTIVE_EXTENSION,
      name,
      directives
    });
  }
  /**
   * ```
   * DirectiveDefinition :
   *   - Description? directive @ Name ArgumentsDefinition? `repeatable`? on DirectiveLocations
   * ```
   *
   * @internal
   */
  parseDirectiveDefinition() {
    const start = this._lexer.token;
    const description = this.parseDescription();
    this.expectKeyword("directive");
    this.expectToken(TokenKind.AT);
    const name = this.parseName();
    const args = this.parseArgumentDefs();
    const directives = this._options.experimentalDirectivesOnDirectiveDefinitions ? this.parseConstDirectives() : [];
    const repeatable = this.expectOptionalKeyword("repeatable");
    this.expectKeyword("on");
    const locations = this.parseDirectiveLocations();
    return this.node(start, {
      kind: Kind.DIRECTIVE_DEFINITION,
      description,
      name,
      arguments: args,
      directives,
      repeatable,
      locations
    });
  }
  /**
   * DirectiveLocations :
   *   - `|`? DirectiveLocation
   *   - DirectiveLocations | DirectiveLocation
   *
   * @internal
   */
  parseDirectiveLocations() {
    return this.delimitedMany(TokenKind.PIPE, this.parseDirectiveLocation);
  }
  /*
   * DirectiveLocation :
   *   - ExecutableDirectiveLocation
   *   - TypeSystemDirectiveLocation
   *
   * ExecutableDirectiveLocation : one of
   *   `QUERY`
   *   `MUTATION`
   *   `SUBSCRIPTION`
   *   `FIELD`
   *   `FRAGMENT_DEFINITION`
   *   `FRAGMENT_SPREAD`
   *   `INLINE_FRAGMENT`
   *
   * TypeSystemDirectiveLocation : one of
   *   `SCHEMA`
   *   `SCALAR`
   *   `OBJECT`
   *   `FIELD_DEFINITION`
   *   `ARGUMENT_DEFINITION`
   *   `INTERFACE`
   *   `UNION`
   *   `ENUM`
   *   `ENUM_VALUE`
   *   `INPUT_OBJECT`
   *   `INPUT_FIELD_DEFINITION`
   *   `DIRECTIVE_DEFINITION`
   */
  parseDirectiveLocation() {
    const start = this._lexer.token;
    const name = this.parseName();
    if (Object.prototype.hasOwnProperty.call(DirectiveLocation, name.value)) {
      return name;
    }
    throw this.unexpected(start);
  }
  // Schema Coordinates
  /**
   * SchemaCoordinate :
   *   - Name
   *   - Name . Name
   *   - Name . Name ( Name : )
   *   - \@ Name
   *   - \@ Name ( Name : )
   * @returns Parsed schema coordinate AST.
   * @example
   * ```ts
   * import assert from 'node:assert/strict';
   * import { Kind, parseSchemaCoordinate } from 'graphql/language';
   *
   * const typeCoordinate = parseSchemaCoordinate('User.name');
   * const directiveCoordinate = parseSchemaCoordinate('@include(if:)');
   * assert(typeCoordinate.kind === Kind.MEMBER_COORDINATE);
   * assert(directiveCoordinate.kind === Kind.DIRECTIVE_ARGUMENT_COORDINATE);
   *
   * typeCoordinate.name.value; // => 'User'
   * typeCoordinate.memberName?.value; // => 'name'
   * directiveCoordinate.name.value; // => 'include'
   * directiveCoordinate.argumentName?.value; // => 'if'
   * ```
   */
  parseSchemaCoordinate() {
    const start = this._lexer.token;
    const ofDirective = this.expectOptionalToken(TokenKind.AT);
    const name = this.parseName();
    let memberName;
    if (!ofDirective && this.expectOptionalToken(TokenKind.DOT)) {
      memberName = this.parseName();
    }
    let argumentName;
    if ((ofDirective || memberName) && this.expectOptionalToken(TokenKind.PAREN_L)) {
      argumentName = this.parseName();
      this.expectToken(TokenKind.COLON);
      this.expectToken(TokenKind.PAREN_R);
    }
    if (ofDirective) {
      if (argumentName) {
        return this.node(start, {
          kind: Kind.DIRECTIVE_ARGUMENT_COORDINATE,
          name,
          argumentName
        });
      }
      return this.node(start, {
        kind: Kind.DIRECTIVE_COORDINATE,
        name
      });
    } else if (memberName) {
      if (argumentName) {
        return this.node(start, {
          kind: Kind.ARGUMENT_COORDINATE,
          name,
          fieldName: memberName,
          argumentName
        });
      }
      return this.node(start, {
        kind: Kind.MEMBER_COORDINATE,
        name,
        memberName
      });
    }
    return this.node(start, {
      kind: Kind.TYPE_COORDINATE,
      name
    });
  }
  // Core parsing utility functions
  /**
   * Returns a node that, if configured to do so, sets a "loc" field as a
   * location object, used to identify the place in the source that created a
   * given parsed object.
   *
   * @internal
   */
  node(startToken, node) {
    if (this._options.noLocation !== true) {
      node.loc = new Location(
        startToken,
        this._lexer.lastToken,
        this._lexer.source
      );
    }
    return node;
  }
  /**
   * Determines if the next token is of a given kind
   *
   * @internal
   */
  peek(kind) {
    return this._lexer.token.kind === kind;
  }
  /**
   * If the next token is of the given kind, return that token after advancing the lexer.
   * Otherwise, do not change the parser state and throw an error.
   *
   * @internal
   */
  expectToken(kind) {
    const token2 = this._lexer.token;
    if (token2.kind === kind) {
      this.advanceLexer();
      return token2;
    }
    throw syntaxError(
      this._lexer.source,
      token2.start,
      `Expected ${getTokenKindDesc(kind)}, found ${getTokenDesc(token2)}.`
    );
  }
  /**
   * If the next token is of the given kind, return "true" after advancing the lexer.
   * Otherwise, do not change the parser state and return "false".
   *
   * @internal
   */
  expectOptionalToken(kind) {
    const token2 = this._lexer.token;
    if (token2.kind === kind) {
      this.advanceLexer();
      return true;
    }
    return false;
  }
  /**
   * If the next token is a given keyword, advance the lexer.
   * Otherwise, do not change the parser state and throw an error.
   *
   * @internal
   */
  expectKeyword(value) {
    const token2 = this._lexer.token;
    if (token2.kind === TokenKind.NAME && token2.value === value) {
      this.advanceLexer();
    } else {
      throw syntaxError(
        this._lexer.source,
        token2.start,
        `Expected "${value}", found ${getTokenDesc(token2)}.`
      );
    }
  }
  /**
   * If the next token is a given keyword, return "true" after advancing the lexer.
   * Otherwise, do not change the parser state and return "false".
   *
   * @internal
   */
  expectOptionalKeyword(value) {
    const token2 = this._lexer.token;
    if (token2.kind === TokenKind.NAME && token2.value === value) {
      this.advanceLexer();
      return true;
    }
    return false;
  }
  /**
   * Helper function for creating an error when an unexpected lexed token is encountered.
   *
   * @internal
   */
  unexpected(atToken) {
    const token2 = atToken !== null && atToken !== void 0 ? atToken : this._lexer.token;
    return syntaxError(
      this._lexer.source,
      token2.start,
      `Unexpected ${getTokenDesc(token2)}.`
    );
  }
  /**
   * Returns a possibly empty list of parse nodes, determined by the parseFn.
   * This list begins with a lex token of openKind and ends with a lex token of closeKind.
   * Advances the parser to the next lex token after the closing token.
   *
   * @internal
   */
  any(openKind, parseFn, closeKind) {
    this.expectToken(openKind);
    const nodes = [];
    while (!this.expectOptionalToken(closeKind)) {
      nodes.push(parseFn.call(this));
    }
    return nodes;
  }
  /**
   * Returns a list of parse nodes, determined by the parseFn.
   * It can be empty only if open token is missing otherwise it will always return non-empty list
   * that begins with a lex token of openKind and ends with a lex token of closeKind.
   * Advances the parser to the next lex token after the closing token.
   *
   * @internal
   */
  optionalMany(openKind, parseFn, closeKind) {
    if (this.expectOptionalToken(openKind)) {
      const nodes = [];
      do {
        nodes.push(parseFn.call(this));
      } while (!this.expectOptionalToken(closeKind));
      return nodes;
    }
    return [];
  }
  /**
   * Returns a non-empty list of parse nodes, determined by the parseFn.
   * This list begins with a lex token of openKind and ends with a lex token of closeKind.
   * Advances the parser to the next lex token after the closing token.
   *
   * @internal
   */
  many(openKind, parseFn, closeKind) {
    this.expectToken(openKind);
    const nodes = [];
    do {
      nodes.push(parseFn.call(this));
    } while (!this.expectOptionalToken(closeKind));
    return nodes;
  }
  /**
   * Returns a non-empty list of parse nodes, determined by the parseFn.
   * This list may begin with a lex token of delimiterKind followed by items separated by lex tokens of tokenKind.
   * Advances the parser to the next lex token after last item in the list.
   *
   * @internal
   */
  delimitedMany(delimiterKind, parseFn) {
    this.expectOptionalToken(delimiterKind);
    const nodes = [];
    do {
      nodes.push(parseFn.call(this));
    } while (this.expectOptionalToken(delimiterKind));
    return nodes;
  }
  advanceLexer() {
    const { maxLexicalTokens = this._options.maxTokens } = this._options;
    const token2 = this._lexer.advance();
    if (token2.kind !== TokenKind.EOF) {
      ++this._tokenCounter;
      if (maxLexicalTokens !== void 0 && this._tokenCounter > maxLexicalTokens) {
        throw syntaxError(
          this._lexer.source,
          token2.start,
          `Document contains more that ${maxLexicalTokens} tokens. Parsing aborted.`
        );
      }
    }
  }
};
function getTokenDesc(token2) {
  const value = token2.value;
  return getTokenKindDesc(token2.kind) + (value != null ? ` "${value}"` : "");
}
function getTokenKindDesc(kind) {
  return isPunctuatorTokenKind(kind) ? `"${kind}"` : kind;
}

// node_modules/graphql/language/printString.mjs
function printString(str) {
  return `"${str.replace(escapedRegExp, escapedReplacer)}"`;
}
var escapedRegExp = /[\x00-\x1f\x22\x5c\x7f-\x9f]/g;
function escapedReplacer(str) {
  return escapeSequences[str.charCodeAt(0)];
}
var escapeSequences = [
  "\\u0000",
  "\\u0001",
  "\\u0002",
  "\\u0003",
  "\\u0004",
  "\\u0005",
  "\\u0006",
  "\\u0007",
  "\\b",
  "\\t",
  "\\n",
  "\\u000B",
  "\\f",
  "\\r",
  "\\u000E",
  "\\u000F",
  "\\u0010",
  "\\u0011",
  "\\u0012",
  "\\u0013",
  "\\u0014",
  "\\u0015",
  "\\u0016",
  "\\u0017",
  "\\u0018",
  "\\u0019",
  "\\u001A",
  "\\u001B",
  "\\u001C",
  "\\u001D",
  "\\u001E",
  "\\u001F",
  "",
  "",
  '\\"',
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  // 2F
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  // 3F
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  // 4F
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "\\\\",
  "",
  "",
  "",
  // 5F
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  // 6F
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "",
  "\\u007F",
  "\\u0080",
  "\\u0081",
  "\\u0082",
  "\\u0083",
  "\\u0084",
  "\\u0085",
  "\\u0086",
  "\\u0087",
  "\\u0088",
  "\\u0089",
  "\\u008A",
  "\\u008B",
  "\\u008C",
  "\\u008D",
  "\\u008E",
  "\\u008F",
  "\\u0090",
  "\\u0091",
  "\\u0092",
  "\\u0093",
  "\\u0094",
  "\\u0095",
  "\\u0096",
  "\\u0097",
  "\\u0098",
  "\\u0099",
  "\\u009A",
  "\\u009B",
  "\\u009C",
  "\\u009D",
  "\\u009E",
  "\\u009F"
];

// node_modules/graphql/language/reducer.mjs
function reduce(root, reducer) {
  const stack = [];
  let frame = {
    parent: [root],
    keys: void 0,
    results: [],
    index: -1
  };
  let node;
  do {
    let kind;
    frame.index++;
    const length = frame.keys === void 0 ? frame.parent.length : frame.keys.length;
    if (frame.index === length) {
      node = frame.results;
      kind = frame.keys === void 0 ? void 0 : frame.results.kind;
      frame = stack.pop();
    } else {
      node = frame.keys === void 0 ? frame.parent[frame.index] : frame.parent[frame.keys[frame.index]];
      if (node == null && stack.length !== 0) {
        continue;
      }
      if (Array.isArray(node)) {
        if (node.length !== 0) {
          stack.push(frame);
          frame = {
            parent: node,
            keys: void 0,
            results: [],
            index: -1
          };
          continue;
        }
      } else {
        const parent = node;
        kind = parent === null || parent === void 0 ? void 0 : parent.kind;
        const keys3 = typeof kind === "string" ? QueryDocumentKeys[kind] : void 0;
        if (!Array.isArray(keys3)) {
          throw new Error(`Invalid AST Node: ${inspect(node)}.`);
        }
        if (keys3.length !== 0) {
          stack.push(frame);
          frame = {
            parent,
            keys: keys3,
            results: { ...parent },
            index: -1
          };
          continue;
        }
      }
    }
    if (kind !== void 0) {
      const reduceNode = reducer[kind];
      node = reduceNode === null || reduceNode === void 0 ? void 0 : reduceNode(node);
    }
    if (frame.keys === void 0) {
      frame.results.push(node);
    } else {
      frame.results[frame.keys[frame.index]] = node;
    }
  } while (stack.length !== 0);
  return node;
}

// node_modules/graphql/language/printer.mjs
function print(ast, options) {
  var _options$maxIndentDep;
  return render(
    reduce(ast, printDocASTReducer),
    (_options$maxIndentDep = options === null || options === void 0 ? void 0 : options.maxIndentDepth) !== null && _options$maxIndentDep !== void 0 ? _options$maxIndentDep : Infinity
  );
}
var MAX_LINE_LENGTH = 80;
var PrintBuffer = class _PrintBuffer {
  next = void 0;
  tail = this;
  indentBefore = false;
  dedentAfter = false;
  constructor(value = "", isBlockString = false) {
    this.length = value.length;
    this.lines = value.includes("\n") ? value.split("\n") : value;
    this.newlines = typeof this.lines === "string" ? 0 : this.lines.length - 1;
    this.isBlockString = isBlockString;
  }
  append(result) {
    if (result.length === 0) {
      return this;
    }
    const next2 = typeof result === "string" ? new _PrintBuffer(result) : result;
    this.tail.next = next2;
    this.tail = next2.tail;
    this.length += next2.length;
    this.newlines += next2.newlines;
    return this;
  }
  indent() {
    if (this.length === 0) {
      return this;
    }
    this.indentBefore = true;
    this.tail.dedentAfter = true;
    this.length += 2 * (this.newlines + 1);
    return this;
  }
};
var EMPTY = new PrintBuffer();
function render(buffer, maxDepth) {
  let output = "";
  let text2 = "";
  let depth = 0;
  let indentation = "";
  let part = buffer;
  while (part !== void 0) {
    const lines = part.lines;
    if (part.indentBefore) {
      if (depth < maxDepth) {
        indentation += "  ";
        text2 += "  ";
      }
      depth++;
    }
    if (typeof lines === "string") {
      text2 += lines;
    } else {
      text2 += lines[0];
      const newline = !part.isBlockString && depth >= maxDepth ? " " : "\n" + indentation;
      for (let i = 1; i < lines.length; i++) {
        output += text2;
        text2 = newline + lines[i];
      }
    }
    if (part.dedentAfter) {
      depth--;
      indentation = indentation.slice(0, depth * 2);
    }
    part = part.next;
  }
  return output + text2;
}
var printDocASTReducer = {
  Name: (node) => new PrintBuffer(node.value),
  Variable: (node) => join6(["$", node.name]),
  // Document
  Document: (node) => join6(node.definitions, "\n\n"),
  OperationDefinition(node) {
    const varDefs = hasMultilineItems(node.variableDefinitions) ? wrap("(\n", join6(node.variableDefinitions, "\n"), "\n)") : wrap("(", join6(node.variableDefinitions, ", "), ")");
    const prefix = join6([
      wrap("", node.description, "\n"),
      join6(
        [
          node.operation,
          join6([node.name, varDefs]),
          join6(node.directives, " ")
        ],
        " "
      )
    ]);
    return join6([
      node.operation === "query" && prefix.length === node.operation.length ? "" : join6([prefix, " "]),
      node.selectionSet
    ]);
  },
  VariableDefinition: ({
    variable,
    type,
    defaultValue,
    directives,
    description
  }) => join6([
    wrap("", description, "\n"),
    variable,
    ": ",
    type,
    wrap(" = ", defaultValue),
    wrap(" ", join6(directives, " "))
  ]),
  SelectionSet: ({ selections }) => block(selections),
  Field({ alias, name, arguments: args, directives, selectionSet }) {
    const prefix = join6([wrap("", alias, ": "), name], "");
    return join6([
      wrappedLineAndArgs(prefix, args),
      wrap(" ", join6(directives, " ")),
      wrap(" ", selectionSet)
    ]);
  },
  Argument: ({ name, value }) => join6([name, ": ", value]),
  // Fragments
  FragmentSpread: ({ name, directives }) => join6(["...", name, wrap(" ", join6(directives, " "))]),
  InlineFragment: ({ typeCondition, directives, selectionSet }) => join6(
    ["...", wrap("on ", typeCondition), join6(directives, " "), selectionSet],
    " "
  ),
  FragmentDefinition: ({
    name,
    typeCondition,
    variableDefinitions,
    directives,
    selectionSet,
    description
  }) => join6([
    wrap("", description, "\n"),
    // Note: fragment variable definitions are experimental and may be changed
    // or removed in the future.
    "fragment ",
    name,
    wrap("(", join6(variableDefinitions, ", "), ")"),
    " on ",
    typeCondition,
    " ",
    wrap("", join6(directives, " "), " "),
    selectionSet
  ]),
  // Value
  IntValue: ({ value }) => new PrintBuffer(value),
  FloatValue: ({ value }) => new PrintBuffer(value),
  StringValue: ({ value, block: isBlockString }) => new PrintBuffer(
    isBlockString === true ? printBlockString(value) : printString(value),
    isBlockString === true
  ),
  BooleanValue: ({ value }) => new PrintBuffer(value ? "true" : "false"),
  NullValue: () => new PrintBuffer("null"),
  EnumValue: ({ value }) => new PrintBuffer(value),
  ListValue: ({ values }) => join6(["[", join6(values, ", "), "]"]),
  ObjectValue: ({ fields: fields3 }) => join6(["{", join6(fields3, ", "), "}"]),
  ObjectField: ({ name, value }) => join6([name, ": ", value]),
  // Directive
  Directive: ({ name, arguments: args }) => join6(["@", name, wrap("(", join6(args, ", "), ")")]),
  // Type
  NamedType: ({ name }) => name,
  ListType: ({ type }) => join6(["[", type, "]"]),
  NonNullType: ({ type }) => join6([type, "!"]),
  // Type System Definitions
  SchemaDefinition: ({ description, directives, operationTypes }) => join6([
    wrap("", description, "\n"),
    join6(["schema", join6(directives, " "), block(operationTypes)], " ")
  ]),
  OperationTypeDefinition: ({ operation, type }) => join6([operation, ": ", type]),
  ScalarTypeDefinition: ({ description, name, directives }) => join6([
    wrap("", description, "\n"),
    join6(["scalar", name, join6(directives, " ")], " ")
  ]),
  ObjectTypeDefinition: ({
    description,
    name,
    interfaces,
    directives,
    fields: fields3
  }) => join6([
    wrap("", description, "\n"),
    join6(
      [
        "type",
        name,
        wrap("implements ", join6(interfaces, " & ")),
        join6(directives, " "),
        block(fields3)
      ],
      " "
    )
  ]),
  FieldDefinition: ({ description, name, arguments: args, type, directives }) => join6([
    wrap("", description, "\n"),
    name,
    hasMultilineItems(args) ? wrap("(\n", join6(args, "\n").indent(), "\n)") : wrap("(", join6(args, ", "), ")"),
    ": ",
    type,
    wrap(" ", join6(directives, " "))
  ]),
  InputValueDefinition: ({
    description,
    name,
    type,
    defaultValue,
    directives
  }) => join6([
    wrap("", description, "\n"),
    name,
    ": ",
    type,
    wrap(" = ", defaultValue),
    wrap(" ", join6(directives, " "))
  ]),
  InterfaceTypeDefinition: ({
    description,
    name,
    interfaces,
    directives,
    fields: fields3
  }) => join6([
    wrap("", description, "\n"),
    join6(
      [
        "interface",
        name,
        wrap("implements ", join6(interfaces, " & ")),
        join6(directives, " "),
        block(fields3)
      ],
      " "
    )
  ]),
  UnionTypeDefinition: ({ description, name, directives, types }) => join6([
    wrap("", description, "\n"),
    join6(
      ["union", name, join6(directives, " "), wrap("= ", join6(types, " | "))],
      " "
    )
  ]),
  EnumTypeDefinition: ({ description, name, directives, values }) => join6([
    wrap("", description, "\n"),
    join6(["enum", name, join6(directives, " "), block(values)], " ")
  ]),
  EnumValueDefinition: ({ description, name, directives }) => join6([
    wrap("", description, "\n"),
    join6([name, join6(directives, " ")], " ")
  ]),
  InputObjectTypeDefinition: ({ description, name, directives, fields: fields3 }) => join6([
    wrap("", description, "\n"),
    join6(["input", name, join6(directives, " "), block(fields3)], " ")
  ]),
  DirectiveDefinition: ({
    description,
    name,
    arguments: args,
    directives,
    repeatable,
    locations
  }) => join6([
    wrap("", description, "\n"),
    "directive @",
    name,
    hasMultilineItems(args) ? wrap("(\n", join6(args, "\n").indent(), "\n)") : wrap("(", join6(args, ", "), ")"),
    wrap(" ", join6(directives, " ")),
    repeatable ? " repeatable" : "",
    " on ",
    join6(locations, " | ")
  ]),
  SchemaExtension: ({ directives, operationTypes }) => join6(["extend schema", join6(directives, " "), block(operationTypes)], " "),
  ScalarTypeExtension: ({ name, directives }) => join6(["extend scalar", name, join6(directives, " ")], " "),
  ObjectTypeExtension: ({ name, interfaces, directives, fields: fields3 }) => join6(
    [
      "extend type",
      name,
      wrap("implements ", join6(interfaces, " & ")),
      join6(directives, " "),
      block(fields3)
    ],
    " "
  ),
  InterfaceTypeExtension: ({ name, interfaces, directives, fields: fields3 }) => join6(
    [
      "extend interface",
      name,
      wrap("implements ", join6(interfaces, " & ")),
      join6(directives, " "),
      block(fields3)
    ],
    " "
  ),
  UnionTypeExtension: ({ name, directives, types }) => join6(
    [
      "extend union",
      name,
      join6(directives, " "),
      wrap("= ", join6(types, " | "))
    ],
    " "
  ),
  EnumTypeExtension: ({ name, directives, values }) => join6(["extend enum", name, join6(directives, " "), block(values)], " "),
  InputObjectTypeExtension: ({ name, directives, fields: fields3 }) => join6(["extend input", name, join6(directives, " "), block(fields3)], " "),
  DirectiveExtension: ({ name, directives }) => join6([join6(["extend directive @", name]), join6(directives, " ")], " "),
  // Schema Coordinates
  TypeCoordinate: ({ name }) => name,
  MemberCoordinate: ({ name, memberName }) => join6([name, wrap(".", memberName)]),
  ArgumentCoordinate: ({ name, fieldName, argumentName }) => join6([name, wrap(".", fieldName), wrap("(", argumentName, ":)")]),
  DirectiveCoordinate: ({ name }) => join6(["@", name]),
  DirectiveArgumentCoordinate: ({ name, argumentName }) => join6(["@", name, wrap("(", argumentName, ":)")])
};
function join6(maybeArray, separator = "") {
  if (maybeArray == null || maybeArray.length === 0) {
    return EMPTY;
  }
  let result = EMPTY;
  for (const item of maybeArray) {
    if (item === void 0 || item.length === 0) {
      continue;
    }
    if (result.length === 0) {
      result = typeof item === "string" ? new PrintBuffer(item) : item;
    } else {
      if (separator !== "") {
        result.append(separator);
      }
      result.append(item);
    }
  }
  return result;
}
function joinedLength(array2, separator) {
  let length = 0;
  for (const item of array2) {
    if (item.length !== 0) {
      length += (length === 0 ? 0 : separator.length) + item.length;
    }
  }
  return length;
}
function block(array2) {
  return wrap("{\n", join6(array2, "\n").indent(), "\n}");
}
function wrap(start, maybeBuffer, end = "") {
  return maybeBuffer != null && maybeBuffer.length !== 0 ? start === "" ? maybeBuffer.append(end) : new PrintBuffer(start).append(maybeBuffer).append(end) : EMPTY;
}
function hasMultilineItems(maybeArray) {
  var _maybeArray$some;
  return (_maybeArray$some = maybeArray === null || maybeArray === void 0 ? void 0 : maybeArray.some((result) => result.newlines !== 0)) !== null && _maybeArray$some !== void 0 ? _maybeArray$some : false;
}
function wrappedLineAndArgs(prefix, args) {
  if (args == null || args.length === 0) {
    return prefix;
  }
  return join6([
    prefix,
    prefix.length + joinedLength(args, ", ") + 2 > MAX_LINE_LENGTH ? wrap("(\n", join6(args, "\n").indent(), "\n)") : wrap("(", join6(args, ", "), ")")
  ]);
}

// node_modules/graphql-request/build/lib/http.js
var ACCEPT_HEADER = `Accept`;
var CONTENT_TYPE_HEADER = `Content-Type`;
var CONTENT_TYPE_JSON = `application/json`;
var CONTENT_TYPE_GQL = `application/graphql-response+json`;

// node_modules/graphql-request/build/legacy/lib/graphql.js
var cleanQuery = (str) => str.replace(/([\s,]|#[^\n\r]+)+/g, ` `).trim();
var isGraphQLContentType = (contentType) => {
  const contentTypeLower = contentType.toLowerCase();
  return contentTypeLower.includes(CONTENT_TYPE_GQL) || contentTypeLower.includes(CONTENT_TYPE_JSON);
};
var parseGraphQLExecutionResult = (result) => {
  try {
    if (Array.isArray(result)) {
      return {
        _tag: `Batch`,
        executionResults: result.map(parseExecutionResult)
      };
    } else if (isPlainObject(result)) {
      return {
        _tag: `Single`,
        executionResult: parseExecutionResult(result)
      };
    } else {
      throw new Error(`Invalid execution result: result is not object or array. 
Got:
${String(result)}`);
    }
  } catch (e) {
    return e;
  }
};
var parseExecutionResult = (result) => {
  if (typeof result !== `object` || result === null) {
    throw new Error(`Invalid execution result: result is not object`);
  }
  let errors = void 0;
  let data = void 0;
  let extensions = void 0;
  if (`errors` in result) {
    if (!isPlainObject(result.errors) && !Array.isArray(result.errors)) {
      throw new Error(`Invalid execution result: errors is not plain object OR array`);
    }
    errors = result.errors;
  }
  if (`data` in result) {
    if (!isPlainObject(result.data) && result.data !== null) {
      throw new Error(`Invalid execution result: data is not plain object`);
    }
    data = result.data;
  }
  if (`extensions` in result) {
    if (!isPlainObject(result.extensions))
      throw new Error(`Invalid execution result: extensions is not plain object`);
    extensions = result.extensions;
  }
  return {
    data,
    errors,
    extensions
  };
};
var isRequestResultHaveErrors = (result) => result._tag === `Batch` ? result.executionResults.some(isExecutionResultHaveErrors) : isExecutionResultHaveErrors(result.executionResult);
var isExecutionResultHaveErrors = (result) => Array.isArray(result.errors) ? result.errors.length > 0 : Boolean(result.errors);
var isOperationDefinitionNode = (definition) => {
  return typeof definition === `object` && definition !== null && `kind` in definition && definition.kind === Kind.OPERATION_DEFINITION;
};

// node_modules/graphql-request/build/legacy/helpers/analyzeDocument.js
var extractOperationName = (document) => {
  let operationName = void 0;
  const defs = document.definitions.filter(isOperationDefinitionNode);
  if (defs.length === 1) {
    operationName = defs[0].name?.value;
  }
  return operationName;
};
var extractIsMutation = (document) => {
  let isMutation = false;
  const defs = document.definitions.filter(isOperationDefinitionNode);
  if (defs.length === 1) {
    isMutation = defs[0].operation === `mutation`;
  }
  return isMutation;
};
var analyzeDocument = (document, excludeOperationName) => {
  const normalizedDocument = typeof document === `string` || `kind` in document ? document : String(document);
  const expression = typeof normalizedDocument === `string` ? normalizedDocument : print(normalizedDocument);
  let isMutation = false;
  let operationName = void 0;
  if (excludeOperationName) {
    return { expression, isMutation, operationName };
  }
  const docNode = tryCatch(() => typeof normalizedDocument === `string` ? parse(normalizedDocument) : normalizedDocument);
  if (docNode instanceof Error) {
    return { expression, isMutation, operationName };
  }
  operationName = extractOperationName(docNode);
  isMutation = extractIsMutation(docNode);
  return { expression, operationName, isMutation };
};

// node_modules/graphql-request/build/legacy/helpers/defaultJsonSerializer.js
var defaultJsonSerializer = JSON;

// node_modules/graphql-request/build/legacy/helpers/runRequest.js
var runRequest = async (input) => {
  const config = {
    ...input,
    method: input.request._tag === `Single` ? input.request.document.isMutation ? `POST` : uppercase(input.method ?? `post`) : input.request.hasMutations ? `POST` : uppercase(input.method ?? `post`),
    fetchOptions: {
      ...input.fetchOptions,
      errorPolicy: input.fetchOptions.errorPolicy ?? `none`
    }
  };
  const fetcher = createFetcher(config.method);
  const fetchResponse = await fetcher(config);
  const body = await fetchResponse.text();
  let result;
  try {
    result = parseResultFromText(body, fetchResponse.headers.get(CONTENT_TYPE_HEADER), input.fetchOptions.jsonSerializer ?? defaultJsonSerializer);
  } catch (error) {
    result = error;
  }
  const clientResponseBase = {
    status: fetchResponse.status,
    headers: fetchResponse.headers,
    body
  };
  if (!fetchResponse.ok) {
    if (result instanceof Error) {
      return new ClientError({ ...clientResponseBase }, {
        query: input.request._tag === `Single` ? input.request.document.expression : input.request.query,
        variables: input.request.variables
      });
    }
    const clientResponse = result._tag === `Batch` ? { ...result.executionResults, ...clientResponseBase } : {
      ...result.executionResult,
      ...clientResponseBase
    };
    return new ClientError(clientResponse, {
      query: input.request._tag === `Single` ? input.request.document.expression : input.request.query,
      variables: input.request.variables
    });
  }
  if (result instanceof Error)
    throw result;
  if (isRequestResultHaveErrors(result) && config.fetchOptions.errorPolicy === `none`) {
    const clientResponse = result._tag === `Batch` ? { ...result.executionResults, ...clientResponseBase } : {
      ...result.executionResult,
      ...clientResponseBase
    };
    return new ClientError(clientResponse, {
      query: input.request._tag === `Single` ? input.request.document.expression : input.request.query,
      variables: input.request.variables
    });
  }
  switch (result._tag) {
    case `Single`:
      return {
        ...clientResponseBase,
        ...executionResultClientResponseFields(config)(result.executionResult)
      };
    case `Batch`:
      return {
        ...clientResponseBase,
        data: result.executionResults.map(executionResultClientResponseFields(config))
      };
    default:
      casesExhausted(result);
  }
};
var executionResultClientResponseFields = ($params) => (executionResult) => {
  return {
    extensions: executionResult.extensions,
    data: executionResult.data,
    errors: $params.fetchOptions.errorPolicy === `all` ? executionResult.errors : void 0
  };
};
var parseResultFromText = (text2, contentType, jsonSerializer) => {
  if (contentType && isGraphQLContentType(contentType)) {
    return parseGraphQLExecutionResult(jsonSerializer.parse(text2));
  } else {
    return parseGraphQLExecutionResult(text2);
  }
};
var createFetcher = (method) => async (params) => {
  const headers = new Headers(params.headers);
  let searchParams = null;
  let body = void 0;
  if (!headers.has(ACCEPT_HEADER)) {
    headers.set(ACCEPT_HEADER, [CONTENT_TYPE_GQL, CONTENT_TYPE_JSON].join(`, `));
  }
  if (method === `POST`) {
    const $jsonSerializer = params.fetchOptions.jsonSerializer ?? defaultJsonSerializer;
    body = $jsonSerializer.stringify(buildBody(params));
    if (typeof body === `string` && !headers.has(CONTENT_TYPE_HEADER)) {
      headers.set(CONTENT_TYPE_HEADER, CONTENT_TYPE_JSON);
    }
  } else {
    searchParams = buildQueryParams(params);
  }
  const init = { method, headers, body, ...params.fetchOptions };
  let url = new URL(params.url);
  let initResolved = init;
  if (params.middleware) {
    const result = await Promise.resolve(params.middleware({
      ...init,
      url: params.url,
      operationName: params.request._tag === `Single` ? params.request.document.operationName : void 0,
      variables: params.request.variables
    }));
    const { url: urlNew, ...initNew } = result;
    url = new URL(urlNew);
    initResolved = initNew;
  }
  if (searchParams) {
    searchParams.forEach((value, name) => {
      url.searchParams.append(name, value);
    });
  }
  const $fetch = params.fetch ?? fetch;
  return await $fetch(url, initResolved);
};
var buildBody = (params) => {
  switch (params.request._tag) {
    case `Single`:
      return {
        query: params.request.document.expression,
        variables: params.request.variables,
        operationName: params.request.document.operationName
      };
    case `Batch`:
      return zip(params.request.query, params.request.variables ?? []).map(([query2, variables]) => ({
        query: query2,
        variables
      }));
    default:
      throw casesExhausted(params.request);
  }
};
var buildQueryParams = (params) => {
  const $jsonSerializer = params.fetchOptions.jsonSerializer ?? defaultJsonSerializer;
  const searchParams = new URLSearchParams();
  switch (params.request._tag) {
    case `Single`: {
      searchParams.append(`query`, cleanQuery(params.request.document.expression));
      if (params.request.variables) {
        searchParams.append(`variables`, $jsonSerializer.stringify(params.request.variables));
      }
      if (params.request.document.operationName) {
        searchParams.append(`operationName`, params.request.document.operationName);
      }
      return searchParams;
    }
    case `Batch`: {
      const variablesSerialized = params.request.variables?.map((v) => $jsonSerializer.stringify(v)) ?? [];
      const queriesCleaned = params.request.query.map(cleanQuery);
      const payload = zip(queriesCleaned, variablesSerialized).map(([query2, variables]) => ({
        query: query2,
        variables
      }));
      searchParams.append(`query`, $jsonSerializer.stringify(payload));
      return searchParams;
    }
    default:
      throw casesExhausted(params.request);
  }
};

// node_modules/graphql-request/build/legacy/classes/GraphQLClient.js
var GraphQLClient = class {
  url;
  requestConfig;
  constructor(url, requestConfig = {}) {
    this.url = url;
    this.requestConfig = requestConfig;
  }
  /**
   * Send a GraphQL query to the server.
   */
  rawRequest = async (...args) => {
    const [queryOrOptions, variables, requestHeaders] = args;
    const rawRequestOptions = parseRawRequestArgs(queryOrOptions, variables, requestHeaders);
    const { headers, fetch: fetch2 = globalThis.fetch, method = `POST`, requestMiddleware, responseMiddleware, excludeOperationName, ...fetchOptions } = this.requestConfig;
    const { url } = this;
    if (rawRequestOptions.signal !== void 0) {
      fetchOptions.signal = rawRequestOptions.signal;
    }
    const document = analyzeDocument(rawRequestOptions.query, excludeOperationName);
    const response = await runRequest({
      url,
      request: {
        _tag: `Single`,
        document,
        variables: rawRequestOptions.variables
      },
      headers: {
        ...HeadersInitToPlainObject(callOrIdentity(headers)),
        ...HeadersInitToPlainObject(rawRequestOptions.requestHeaders)
      },
      fetch: fetch2,
      method,
      fetchOptions,
      middleware: requestMiddleware
    });
    if (responseMiddleware) {
      await responseMiddleware(response, {
        operationName: document.operationName,
        variables,
        url: this.url
      });
    }
    if (response instanceof Error) {
      throw response;
    }
    return response;
  };
  async request(documentOrOptions, ...variablesAndRequestHeaders) {
    const [variables, requestHeaders] = variablesAndRequestHeaders;
    const requestOptions = parseRequestArgs(documentOrOptions, variables, requestHeaders);
    const { headers, fetch: fetch2 = globalThis.fetch, method = `POST`, requestMiddleware, responseMiddleware, excludeOperationName, ...fetchOptions } = this.requestConfig;
    const { url } = this;
    if (requestOptions.signal !== void 0) {
      fetchOptions.signal = requestOptions.signal;
    }
    const analyzedDocument = analyzeDocument(requestOptions.document, excludeOperationName);
    const response = await runRequest({
      url,
      request: {
        _tag: `Single`,
        document: analyzedDocument,
        variables: requestOptions.variables
      },
      headers: {
        ...HeadersInitToPlainObject(callOrIdentity(headers)),
        ...HeadersInitToPlainObject(requestOptions.requestHeaders)
      },
      fetch: fetch2,
      method,
      fetchOptions,
      middleware: requestMiddleware
    });
    if (responseMiddleware) {
      await responseMiddleware(response, {
        operationName: analyzedDocument.operationName,
        variables: requestOptions.variables,
        url: this.url
      });
    }
    if (response instanceof Error) {
      throw response;
    }
    return response.data;
  }
  async batchRequests(documentsOrOptions, requestHeaders) {
    const batchRequestOptions = parseBatchRequestArgs(documentsOrOptions, requestHeaders);
    const { headers, excludeOperationName, ...fetchOptions } = this.requestConfig;
    if (batchRequestOptions.signal !== void 0) {
      fetchOptions.signal = batchRequestOptions.signal;
    }
    const analyzedDocuments = batchRequestOptions.documents.map(({ document }) => analyzeDocument(document, excludeOperationName));
    const expressions = analyzedDocuments.map(({ expression }) => expression);
    const hasMutations = analyzedDocuments.some(({ isMutation }) => isMutation);
    const variables = batchRequestOptions.documents.map(({ variables: variables2 }) => variables2);
    const response = await runRequest({
      url: this.url,
      request: {
        _tag: `Batch`,
        operationName: void 0,
        query: expressions,
        hasMutations,
        variables
      },
      headers: {
        ...HeadersInitToPlainObject(callOrIdentity(headers)),
        ...HeadersInitToPlainObject(batchRequestOptions.requestHeaders)
      },
      fetch: this.requestConfig.fetch ?? globalThis.fetch,
      method: this.requestConfig.method || `POST`,
      fetchOptions,
      middleware: this.requestConfig.requestMiddleware
    });
    if (this.requestConfig.responseMiddleware) {
      await this.requestConfig.responseMiddleware(response, {
        operationName: void 0,
        variables,
        url: this.url
      });
    }
    if (response instanceof Error) {
      throw response;
    }
    return response.data;
  }
  setHeaders(headers) {
    this.requestConfig.headers = headers;
    return this;
  }
  /**
   * Attach a header to the client. All subsequent requests will have this header.
   */
  setHeader(key2, value) {
    const { headers } = this.requestConfig;
    if (headers) {
      headers[key2] = value;
    } else {
      this.requestConfig.headers = { [key2]: value };
    }
    return this;
  }
  /**
   * Change the client endpoint. All subsequent requests will send to this endpoint.
   */
  setEndpoint(value) {
    this.url = value;
    return this;
  }
};

// node_modules/graphql-request/build/legacy/functions/request.js
var parseRequestArgs = (documentOrOptions, variables, requestHeaders) => {
  return documentOrOptions.document ? documentOrOptions : {
    document: documentOrOptions,
    variables,
    requestHeaders,
    signal: void 0
  };
};

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
function _isSameValueZero(value1, value2) {
  return value1 === value2 || Number.isNaN(value1) && Number.isNaN(value2);
}
// @__NO_SIDE_EFFECTS__
function _isValidObjectKey(object$1, key2) {
  return Object.prototype.hasOwnProperty.call(object$1, key2) && key2 !== "__proto__" && key2 !== "prototype" && key2 !== "constructor";
}
// @__NO_SIDE_EFFECTS__
function _joinExpects(values$1, separator) {
  const list3 = [...new Set(values$1)];
  if (list3.length > 1) return `(${list3.join(` ${separator} `)})`;
  return list3[0] ?? "never";
}
function _standardSchema(schema2) {
  schema2["~standard"] = {
    version: 1,
    vendor: "valibot",
    validate: (value$1) => schema2["~run"]({ value: value$1 }, /* @__PURE__ */ getGlobalConfig())
  };
  return schema2;
}
// @__NO_SIDE_EFFECTS__
function getDotPath(issue) {
  if (issue.path) {
    let key2 = "";
    for (const item of issue.path) if (typeof item.key === "string" || typeof item.key === "number") if (key2) key2 += `.${item.key}`;
    else key2 += item.key;
    else return null;
    return key2;
  }
  return null;
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
var DIGITS_REGEX = /^\d+$/u;
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
function digits(message$1) {
  return {
    kind: "validation",
    type: "digits",
    reference: digits,
    async: false,
    expects: null,
    requirement: DIGITS_REGEX,
    message: message$1,
    "~run"(dataset, config$1) {
      if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "digits", dataset, config$1);
      return dataset;
    }
  };
}
// @__NO_SIDE_EFFECTS__
function finite(message$1) {
  return {
    kind: "validation",
    type: "finite",
    reference: finite,
    async: false,
    expects: null,
    requirement: Number.isFinite,
    message: message$1,
    "~run"(dataset, config$1) {
      if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "finite", dataset, config$1);
      return dataset;
    }
  };
}
// @__NO_SIDE_EFFECTS__
function integer(message$1) {
  return {
    kind: "validation",
    type: "integer",
    reference: integer,
    async: false,
    expects: null,
    requirement: Number.isInteger,
    message: message$1,
    "~run"(dataset, config$1) {
      if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "integer", dataset, config$1);
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
function maxValue(requirement, message$1) {
  return {
    kind: "validation",
    type: "max_value",
    reference: maxValue,
    async: false,
    expects: `<=${requirement instanceof Date ? requirement.toJSON() : /* @__PURE__ */ _stringify(requirement)}`,
    requirement,
    message: message$1,
    "~run"(dataset, config$1) {
      if (dataset.typed && !(dataset.value <= this.requirement)) _addIssue(this, "value", dataset, config$1, { received: dataset.value instanceof Date ? dataset.value.toJSON() : /* @__PURE__ */ _stringify(dataset.value) });
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
function rawTransform(action) {
  return {
    kind: "transformation",
    type: "raw_transform",
    reference: rawTransform,
    async: false,
    "~run"(dataset, config$1) {
      const output = action({
        dataset,
        config: config$1,
        addIssue: (info) => _addIssue(this, info?.label ?? "input", dataset, config$1, info),
        NEVER: null
      });
      if (dataset.issues) dataset.typed = false;
      else dataset.value = output;
      return dataset;
    }
  };
}
// @__NO_SIDE_EFFECTS__
function transform(operation) {
  return {
    kind: "transformation",
    type: "transform",
    reference: transform,
    async: false,
    operation,
    "~run"(dataset) {
      dataset.value = this.operation(dataset.value);
      return dataset;
    }
  };
}
var ABORT_EARLY_CONFIG = { abortEarly: true };
// @__NO_SIDE_EFFECTS__
function getFallback(schema2, dataset, config$1) {
  return typeof schema2.fallback === "function" ? schema2.fallback(dataset, config$1) : schema2.fallback;
}
// @__NO_SIDE_EFFECTS__
function getDefault(schema2, dataset, config$1) {
  return typeof schema2.default === "function" ? schema2.default(dataset, config$1) : schema2.default;
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
        for (let key2 = 0; key2 < input.length; key2++) {
          const value$1 = input[key2];
          const itemDataset = this.item["~run"]({ value: value$1 }, config$1);
          if (itemDataset.issues) {
            const pathItem = {
              type: "array",
              origin: "value",
              input,
              key: key2,
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
function boolean(message$1) {
  return _standardSchema({
    kind: "schema",
    type: "boolean",
    reference: boolean,
    expects: "boolean",
    async: false,
    message: message$1,
    "~run"(dataset, config$1) {
      if (typeof dataset.value === "boolean") dataset.typed = true;
      else _addIssue(this, "type", dataset, config$1);
      return dataset;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function exactOptional(wrapped, default_) {
  return _standardSchema({
    kind: "schema",
    type: "exact_optional",
    reference: exactOptional,
    expects: wrapped.expects,
    async: false,
    wrapped,
    default: default_,
    "~run"(dataset, config$1) {
      return this.wrapped["~run"](dataset, config$1);
    }
  });
}
// @__NO_SIDE_EFFECTS__
function literal(literal_, message$1) {
  return _standardSchema({
    kind: "schema",
    type: "literal",
    reference: literal,
    expects: /* @__PURE__ */ _stringify(literal_),
    async: false,
    literal: literal_,
    message: message$1,
    "~run"(dataset, config$1) {
      if (/* @__PURE__ */ _isSameValueZero(dataset.value, this.literal)) dataset.typed = true;
      else _addIssue(this, "type", dataset, config$1);
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
function nullish(wrapped, default_) {
  return _standardSchema({
    kind: "schema",
    type: "nullish",
    reference: nullish,
    expects: `(${wrapped.expects} | null | undefined)`,
    async: false,
    wrapped,
    default: default_,
    "~run"(dataset, config$1) {
      if (dataset.value === null || dataset.value === void 0) {
        if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
        if (dataset.value === null || dataset.value === void 0) {
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
        for (const key2 in this.entries) {
          const valueSchema = this.entries[key2];
          if (key2 in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
            const value$1 = key2 in input ? input[key2] : /* @__PURE__ */ getDefault(valueSchema);
            const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
            if (valueDataset.issues) {
              const pathItem = {
                type: "object",
                origin: "value",
                input,
                key: key2,
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
            dataset.value[key2] = valueDataset.value;
          } else if (valueSchema.fallback !== void 0) dataset.value[key2] = /* @__PURE__ */ getFallback(valueSchema);
          else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
            _addIssue(this, "key", dataset, config$1, {
              input: void 0,
              expected: `"${key2}"`,
              path: [{
                type: "object",
                origin: "key",
                input,
                key: key2,
                value: input[key2]
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
function optional(wrapped, default_) {
  return _standardSchema({
    kind: "schema",
    type: "optional",
    reference: optional,
    expects: `(${wrapped.expects} | undefined)`,
    async: false,
    wrapped,
    default: default_,
    "~run"(dataset, config$1) {
      if (dataset.value === void 0) {
        if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
        if (dataset.value === void 0) {
          dataset.typed = true;
          return dataset;
        }
      }
      return this.wrapped["~run"](dataset, config$1);
    }
  });
}
// @__NO_SIDE_EFFECTS__
function picklist(options, message$1) {
  return _standardSchema({
    kind: "schema",
    type: "picklist",
    reference: picklist,
    expects: /* @__PURE__ */ _joinExpects(options.map(_stringify), "|"),
    async: false,
    options,
    message: message$1,
    "~run"(dataset, config$1) {
      if (this.options.includes(dataset.value)) dataset.typed = true;
      else _addIssue(this, "type", dataset, config$1);
      return dataset;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function record(key2, value$1, message$1) {
  return _standardSchema({
    kind: "schema",
    type: "record",
    reference: record,
    expects: "Object",
    async: false,
    key: key2,
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
// @__NO_SIDE_EFFECTS__
function _subIssues(datasets) {
  let issues;
  if (datasets) for (const dataset of datasets) if (issues) for (const issue of dataset.issues) issues.push(issue);
  else issues = dataset.issues;
  return issues;
}
// @__NO_SIDE_EFFECTS__
function union(options, message$1) {
  return _standardSchema({
    kind: "schema",
    type: "union",
    reference: union,
    expects: /* @__PURE__ */ _joinExpects(options.map((option) => option.expects), "|"),
    async: false,
    options,
    message: message$1,
    "~run"(dataset, config$1) {
      let validDataset;
      let typedDatasets;
      let untypedDatasets;
      for (const schema2 of this.options) {
        const optionDataset = schema2["~run"]({ value: dataset.value }, config$1);
        if (optionDataset.typed) if (optionDataset.issues) if (typedDatasets) typedDatasets.push(optionDataset);
        else typedDatasets = [optionDataset];
        else {
          validDataset = optionDataset;
          break;
        }
        else if (untypedDatasets) untypedDatasets.push(optionDataset);
        else untypedDatasets = [optionDataset];
      }
      if (validDataset) return validDataset;
      if (typedDatasets) {
        if (typedDatasets.length === 1) return typedDatasets[0];
        _addIssue(this, "type", dataset, config$1, { issues: /* @__PURE__ */ _subIssues(typedDatasets) });
        dataset.typed = true;
      } else if (untypedDatasets?.length === 1) return untypedDatasets[0];
      else _addIssue(this, "type", dataset, config$1, { issues: /* @__PURE__ */ _subIssues(untypedDatasets) });
      return dataset;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function unknown() {
  return _standardSchema({
    kind: "schema",
    type: "unknown",
    reference: unknown,
    expects: "unknown",
    async: false,
    "~run"(dataset) {
      dataset.typed = true;
      return dataset;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function variant(key2, options, message$1) {
  return _standardSchema({
    kind: "schema",
    type: "variant",
    reference: variant,
    expects: "Object",
    async: false,
    key: key2,
    options,
    message: message$1,
    "~run"(dataset, config$1) {
      const input = dataset.value;
      if (input && typeof input === "object") {
        let outputDataset;
        let maxDiscriminatorPriority = 0;
        let invalidDiscriminatorKey = this.key;
        let expectedDiscriminators = [];
        const parseOptions = (variant$1, allKeys) => {
          for (const schema2 of variant$1.options) {
            if (schema2.type === "variant") parseOptions(schema2, new Set(allKeys).add(schema2.key));
            else {
              let keysAreValid = true;
              let currentPriority = 0;
              for (const currentKey of allKeys) {
                const discriminatorSchema = schema2.entries[currentKey];
                if (currentKey in input ? discriminatorSchema["~run"]({
                  typed: false,
                  value: input[currentKey]
                }, ABORT_EARLY_CONFIG).issues : discriminatorSchema.type !== "exact_optional" && discriminatorSchema.type !== "optional" && discriminatorSchema.type !== "nullish") {
                  keysAreValid = false;
                  if (invalidDiscriminatorKey !== currentKey && (maxDiscriminatorPriority < currentPriority || maxDiscriminatorPriority === currentPriority && currentKey in input && !(invalidDiscriminatorKey in input))) {
                    maxDiscriminatorPriority = currentPriority;
                    invalidDiscriminatorKey = currentKey;
                    expectedDiscriminators = [];
                  }
                  if (invalidDiscriminatorKey === currentKey) expectedDiscriminators.push(schema2.entries[currentKey].expects);
                  break;
                }
                currentPriority++;
              }
              if (keysAreValid) {
                const optionDataset = schema2["~run"]({ value: input }, config$1);
                if (!outputDataset || !outputDataset.typed && optionDataset.typed) outputDataset = optionDataset;
              }
            }
            if (outputDataset && !outputDataset.issues) break;
          }
        };
        parseOptions(this, /* @__PURE__ */ new Set([this.key]));
        if (outputDataset) return outputDataset;
        _addIssue(this, "type", dataset, config$1, {
          input: input[invalidDiscriminatorKey],
          expected: /* @__PURE__ */ _joinExpects(expectedDiscriminators, "|"),
          path: [{
            type: "object",
            origin: "value",
            input,
            key: invalidDiscriminatorKey,
            value: input[invalidDiscriminatorKey]
          }]
        });
      } else _addIssue(this, "type", dataset, config$1);
      return dataset;
    }
  });
}
function parse2(schema2, input, config$1) {
  const dataset = schema2["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
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
// @__NO_SIDE_EFFECTS__
function safeParse(schema2, input, config$1) {
  const dataset = schema2["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
  return {
    typed: dataset.typed,
    success: !dataset.issues,
    output: dataset.value,
    issues: dataset.issues
  };
}

// src/shared/fetch.ts
var import_node_https = require("node:https");
function makeFetch(options) {
  if (!options.trustAnyCertificate) return (url, init) => fetch(url, init);
  const agent = new import_node_https.Agent({ keepAlive: true, rejectUnauthorized: false });
  return (url, init = {}) => new URL(url).protocol === "https:" ? fetchThrough(agent, url, init) : fetch(url, init);
}
var bodiless = /* @__PURE__ */ new Set([204, 205, 304]);
function fetchThrough(agent, url, init) {
  return new Promise((resolve3, reject) => {
    const { signal } = init;
    const body = plainBody(init.body);
    if (signal?.aborted) return reject(signal.reason);
    const method = (init.method ?? "GET").toUpperCase();
    const headers = Object.fromEntries(new Headers(init.headers));
    const outgoing = (0, import_node_https.request)(url, { agent, method, headers });
    const abort = () => outgoing.destroy(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const asFetchWould = (message, cause) => signal?.aborted ? signal.reason : new TypeError(message, { cause });
    outgoing.on("close", () => signal?.removeEventListener("abort", abort));
    outgoing.on("error", (error) => reject(asFetchWould("fetch failed", error)));
    outgoing.on("response", (incoming) => {
      const status = incoming.statusCode ?? 0;
      const empty = bodiless.has(status) || method === "HEAD";
      if (empty) incoming.resume();
      const content = empty ? null : webStream(incoming, (error) => asFetchWould("terminated", error));
      try {
        resolve3(
          new Response(content, {
            status,
            statusText: incoming.statusMessage ?? "",
            headers: headersOf(incoming)
          })
        );
      } catch (error) {
        outgoing.destroy();
        reject(asFetchWould("fetch failed", error));
      }
    });
    outgoing.end(body);
  });
}
function plainBody(body) {
  if (body === void 0 || body === null) return void 0;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  throw new TypeError("only text and bytes can be sent");
}
function headersOf(incoming) {
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? "");
  }
  return headers;
}
function webStream(incoming, translate) {
  return new ReadableStream({
    start(controller) {
      incoming.on("data", (chunk) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.on("end", () => controller.close());
      incoming.on("error", (error) => controller.error(translate(error)));
    },
    pull: () => void incoming.resume(),
    cancel: () => void incoming.destroy()
  });
}
var connectionLost = "connection lost";
var noConnectionInTime = "no connection in time";
var noAnswerInTime = "no answer in time";
var notTrusted = "the certificate is not trusted";
var plainWords2 = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: connectionLost,
  ECONNABORTED: connectionLost,
  EPIPE: connectionLost,
  UND_ERR_SOCKET: connectionLost,
  UND_ERR_CLOSED: connectionLost,
  UND_ERR_DESTROYED: connectionLost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: connectionLost,
  ENOTFOUND: "name not found",
  EAI_AGAIN: "the name could not be looked up",
  EHOSTUNREACH: "no way to that host",
  ENETUNREACH: "no way to that network",
  EADDRNOTAVAIL: "no way to that address",
  ETIMEDOUT: noConnectionInTime,
  UND_ERR_CONNECT_TIMEOUT: noConnectionInTime,
  UND_ERR_HEADERS_TIMEOUT: noAnswerInTime,
  UND_ERR_BODY_TIMEOUT: noAnswerInTime,
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_UNTRUSTED: notTrusted,
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  EPROTO: "no TLS there; http instead of https?",
  ERR_SSL_WRONG_VERSION_NUMBER: "no TLS there; http instead of https?"
};
function describeNetworkError(error) {
  let innermost = error;
  for (let one = error; one !== void 0 && one !== null; one = one instanceof Error ? one.cause : void 0) {
    if (one instanceof Error && one.name === "TimeoutError") {
      return one.message.startsWith("no answer") ? one.message : noAnswerInTime;
    }
    if (one instanceof Error && one.name === "AbortError") return "cancelled";
    const code = codeOf(one);
    if (plainWords2[code]) return plainWords2[code];
    if (code.startsWith("HPE_") || code === "UND_ERR_HEADERS_OVERFLOW") return "the answer is not HTTP";
    innermost = one;
  }
  return redact(messageOf(innermost));
}

// src/stash/trouble.ts
var StashTrouble = class extends Error {
  kind;
  constructor(kind, message) {
    super(redact(message));
    this.name = "StashTrouble";
    this.kind = kind;
  }
};
var neededVersion = "Sluice needs Stash 0.27 or newer.";
function troubleOf(error) {
  if (error instanceof StashTrouble) return error;
  if (error instanceof ClientError) return troubleOfAnswer(error.response);
  if (error instanceof SyntaxError || error instanceof Error && /^Invalid execution result/.test(error.message)) {
    return new StashTrouble(
      "away",
      "Stash gave an answer that is not JSON. Is something else at its address?"
    );
  }
  return new StashTrouble("away", `Stash is not answering (${describeNetworkError(error)}).`);
}
var troubleOfStatus = (status) => troubleOfAnswer({ status });
function troubleOfShape(issues) {
  const [issue] = issues;
  const where = issue ? getDotPath(issue) : null;
  const what = issue ? `${issue.expected ?? "something else"} expected, ${kindOf(issue.input)} found` : "unknown";
  return new StashTrouble(
    "incompatible",
    `Stash's answer is not of the expected shape (${where ?? "answer"}: ${what}). ${neededVersion}`
  );
}
var errorSchema = array(object({ message: string(), path: nullish(array(unknown())) }));
function troubleOfAnswer(response) {
  const { status } = response;
  const parsed = safeParse(errorSchema, response.errors);
  const [first] = parsed.success ? parsed.output : [];
  if (status === 401) return new StashTrouble("unauthorised", unauthorised);
  if (status >= 500) return new StashTrouble("away", `Stash answered with an error (HTTP ${status}).`);
  if (status >= 300 && status < 400) {
    return new StashTrouble(
      "away",
      `Stash sent us to another address (HTTP ${status}). Is something else at its address?`
    );
  }
  if (first === void 0) return new StashTrouble("away", `Stash refused the request (HTTP ${status}).`);
  const validation = [400, 422].includes(status) || !first.path && !response.data;
  if (validation) {
    return new StashTrouble(
      "incompatible",
      `Stash does not understand Sluice: ${sentence(first.message)} ${neededVersion}`
    );
  }
  return new StashTrouble("away", `Stash could not answer: ${sentence(first.message)}`);
}
var unauthorised = "Stash no longer lets Sluice in: the session has expired. Save something in Stash while you are logged in, or generate an API key in Stash under Settings > Security, so that Sluice can go on without a session.";
var kindOf = (value) => value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
var longestQuote = 300;
function sentence(text2) {
  const quote = text2.length > longestQuote ? `${text2.slice(0, longestQuote)}…` : text2.trim();
  return /[.?!…]$/.test(quote) ? quote : `${quote}.`;
}

// src/worker/advice.ts
var welcomeMs = 24 * 36e5;
var Advice = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  give(settings) {
    for (const { target, notices } of this.parts.targets.all()) {
      if (target.missing === null && target.isAtEase) this.#welcome(target, notices);
    }
    if (settings.heldBecause === null) this.#noteShown(settings);
  }
  /** All scenes are about to be sent by the settings of now. */
  applied() {
    this.parts.queue.setMemo("shown", null);
    this.parts.notices.say("shown", null);
  }
  /** Told once for each target, after its first configuration, and again when another server answers there. */
  #welcome(target, notices) {
    const { queue, clock } = this.parts;
    const now = clock.now();
    const { name } = target;
    if (target.isNewServer) {
      target.isNewServer = false;
      queue.setMemo(`synced-all/${name}`, null);
      queue.setMemo(`configured/${name}`, now);
    }
    const since = Number(queue.memo(`configured/${name}`) ?? now);
    if (queue.memo(`configured/${name}`) === void 0) queue.setMemo(`configured/${name}`, now);
    const isDue = queue.memo(`synced-all/${name}`) === void 0 && now - since < welcomeMs;
    const welcome = 'Sluice is set up: from now on every edit goes to Plex. Scenes that you edited before are not sent by themselves: run the task "Sync all scenes" once.';
    notices.say("welcome", isDue ? welcome : null);
  }
  /** Scenes that were synced before a setting changed stay as they are until they are synced again. */
  #noteShown(settings) {
    const { queue, targets, notices } = this.parts;
    const shown3 = shownSettings(settings);
    const isSynced = targets.all().some(({ target }) => target.ledger.size > 0);
    if (queue.memo("shown") === void 0 || !isSynced) queue.setMemo("shown", shown3);
    const changed = 'A setting changed that says what Plex shows. Scenes follow when they are edited or reconciled; run "Sync all scenes" to apply it to all of them now.';
    notices.say("shown", queue.memo("shown") === shown3 ? null : changed);
  }
};

// src/worker/commands.ts
var import_node_fs11 = require("node:fs");
var import_node_path9 = require("node:path");

// src/persist/atomic-file.ts
var import_node_fs10 = require("node:fs");
var import_node_path8 = require("node:path");
var import_write_file_atomic = __toESM(require_lib());
var headroomBytes = 64 * 1024;
var DiskFull = class extends Error {
  code = "ENOSPC";
};
async function writeFileWhole(path, text2, headroom = headroomBytes) {
  const bytes = Buffer.byteLength(text2);
  requireRoom((0, import_node_path8.dirname)(path), bytes + headroom);
  for (let attempt = 1; ; attempt++) {
    try {
      await (0, import_write_file_atomic.default)(path, text2, { mode: privateFile, chown: false });
      break;
    } catch (error) {
      const busy = process.platform === "win32" && ["EPERM", "EBUSY", "EACCES"].includes(codeOf(error));
      if (!busy || attempt === 5) throw error;
      await new Promise((resolve3) => setTimeout(resolve3, 20 * attempt + 30 * Math.random()));
    }
  }
  if ((0, import_node_fs10.statSync)(path).size !== bytes) throw new DiskFull(`${path} came out short: the disk is full`);
}
var writeJson = (path, value, headroom = headroomBytes) => writeFileWhole(path, `${JSON.stringify(value, null, 2)}
`, headroom);
function syncFolder(dir) {
  if (process.platform === "win32") return;
  const fd = (0, import_node_fs10.openSync)(dir, "r");
  try {
    (0, import_node_fs10.fsyncSync)(fd);
  } finally {
    (0, import_node_fs10.closeSync)(fd);
  }
}
function requireRoom(dir, bytes) {
  const { bavail, bsize } = (0, import_node_fs10.statfsSync)(dir);
  if (bavail * bsize < bytes) throw new DiskFull(`no room in ${dir}: the disk is full`);
}

// src/shared/words.ts
var counted = (count4, one, many) => `${count4} ${count4 === 1 ? one : many}`;

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
  const seconds = Math.max(0, Math.round(ms / 1e3));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 600) return inTwo(seconds, 60, "min", "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return inTwo(minutes, 60, "h", "min");
  return inTwo(Math.round(minutes / 60), 24, "days", "h");
}
function inTwo(small, perLarge, large, unit) {
  const rest = small % perLarge;
  return `${Math.floor(small / perLarge)} ${large}${rest === 0 ? "" : ` ${rest} ${unit}`}`;
}

// src/worker/dead-letters.ts
var mostGroups = 20;
var mostScenes = 10;
var keyLength = 4;
function hasLettersOf(letters, target) {
  for (const [, letter] of letters.entries()) if (letter.target === target) return true;
  return false;
}
function groupLetters(letters) {
  const members = /* @__PURE__ */ new Map();
  for (const [, letter] of letters.entries()) {
    const group = `${letter.target}/${keyOf(letter)}`;
    const known3 = members.get(group);
    if (known3) known3.push(letter);
    else members.set(group, [letter]);
  }
  return [...members.values()].map(groupOf).sort((a, b) => compare(a.target, b.target) || b.count - a.count || compare(a.key, b.key));
}
function groupOf(letters) {
  const newest = letters.reduce((one, other) => other.at > one.at ? other : one);
  const scenes = letters.map(({ scene }) => scene).sort((a, b) => a - b);
  return {
    target: newest.target,
    kind: newest.kind,
    key: keyOf(newest),
    count: letters.length,
    since: letters.reduce((oldest, { at }) => Math.min(oldest, at), newest.at),
    example: newest.reason,
    scenes: scenes.slice(0, mostScenes)
  };
}
function choiceOf(args) {
  const [scene, reason] = [typed(args.scene), typed(args.reason)];
  const isAll = typed(args.all).toLowerCase() === "true";
  if ([scene !== "", reason !== "", isAll].filter(Boolean).length !== 1) {
    return 'Say which of them: {"scene": 42}, {"reason": "not-in-plex"} or {"all": true}, and only one of these. The task "Dead letters" lists them with their reasons.';
  }
  if (isAll) return { all: true };
  if (reason !== "") return { reason };
  if (!/^\d{1,15}$/.test(scene)) {
    return `"scene" is ${JSON.stringify(args.scene)}, but must be the number of a scene, like 42.`;
  }
  return { scene: Number(scene) };
}
function typed(value) {
  if (value === void 0 || value === null) return "";
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).trim();
}
function chosenLetters(letters, choice) {
  return [...letters.entries()].filter(([, letter]) => isMeant(letter, choice));
}
function isMeant(letter, choice) {
  if ("all" in choice) return true;
  if ("scene" in choice) return letter.scene === choice.scene;
  const wanted = choice.reason.toLowerCase();
  return [letter.kind, keyOf(letter)].includes(wanted) || letter.reason.toLowerCase().includes(wanted);
}
function nothingMeant(choice) {
  if ("all" in choice) return "There are no dead letters.";
  if ("scene" in choice) return `Scene ${choice.scene} is not among the dead letters.`;
  return `No dead letter has the reason "${choice.reason}". The task "Dead letters" lists the reasons.`;
}
function lettersInWords(letters, now) {
  const groups = groupLetters(letters);
  if (groups.length === 0) return "There are no dead letters: no scene was given up.";
  const total = groups.reduce((sum2, { count: count4 }) => sum2 + count4, 0);
  const hasSeveralTargets = new Set(groups.map(({ target }) => target)).size > 1;
  const nameOf = ({ kind, key: key2 }) => groups.every((other) => other.kind !== kind || other.key === key2) ? kind : key2;
  const lines = [
    `${counted(total, "scene was", "scenes were")} given up, for ${counted(groups.length, "reason", "reasons")}:`,
    ...groups.slice(0, mostGroups).map(
      (group) => (hasSeveralTargets ? `${group.target}: ` : "") + groupInWords(group, nameOf(group), now)
    )
  ];
  if (groups.length > mostGroups) {
    lines.push(
      `${counted(groups.length - mostGroups, "more reason is", "more reasons are")} not listed here.`
    );
  }
  lines.push(
    'To try scenes again, run the operation "retry_dead_letters" with {"scene": 42}, {"reason": one of the words in brackets, or a part of the sentence} or {"all": true}. "discard_dead_letters" forgets them in the same way. A scene that is edited in Stash is tried again by itself.'
  );
  return lines.join("\n");
}
function groupInWords(group, name, now) {
  const { count: count4, since, example, scenes } = group;
  const more = count4 > scenes.length ? ` and ${count4 - scenes.length} more` : "";
  const which = count4 === 1 ? "" : ` (Scenes ${scenes.join(", ")}${more}.)`;
  return `[${name}] ${counted(count4, "scene", "scenes")} since ${dayAndTime(since, now)}: ${example}${which}`;
}
var keyOf = ({ kind, reason }) => `${kind}-${shortHash(gist(reason)).toLowerCase().replace(/[^a-z0-9]/g, "0").slice(0, keyLength)}`;
function gist(reason) {
  let text2 = reason.replace(/"[^"]*"/g, '"…"').replace(/"…"(, "…")+( and \d+ more)?/g, '"…"');
  for (let before = ""; before !== text2; ) {
    before = text2;
    text2 = text2.replace(/ ?\([^()]*\)/g, "");
  }
  return text2.replace(/\d+/g, "N");
}
var compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;

// src/worker/hours.ts
var longestHours = 24 * 366 * 10;
function hoursFrom(given, fallback) {
  if (given === void 0 || given === "") return fallback;
  const hours = typeof given === "string" || typeof given === "number" ? Number(given) : Number.NaN;
  if (hours > 0 && hours <= longestHours) return hours;
  return `"hours" is ${JSON.stringify(given)}, but must be a number above 0 and at most ${longestHours} (ten years).`;
}

// src/plex/errors.ts
var PlexError = class extends Error {
  kind;
  /** The HTTP status, where there was an answer. */
  status;
  /** What Plex asked for with Retry-After. */
  retryAfterMs;
  constructor(kind, message, more = {}) {
    super(message, more.cause === void 0 ? {} : { cause: more.cause });
    this.name = "PlexError";
    this.kind = kind;
    this.status = more.status ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
};
var isItemsFault = ({ kind }) => kind === "transient" || kind === "bad-data";
var PlexSettingsError = class extends PlexError {
  constructor(message, more = {}) {
    super("misconfigured", message, more);
    this.name = "PlexSettingsError";
  }
};
function errorForStatus(status, subject, answer) {
  const as = (kind, message) => new PlexError(kind, message, { status, retryAfterMs: answer.retryAfterMs });
  if (status === 429 || status === 503) {
    return as("overloaded", `Plex is overloaded or still starting (HTTP ${status}).`);
  }
  if (status === 408 || status === 502 || status === 504) {
    return as("server-down", `Plex does not answer behind its proxy (HTTP ${status}). Check that Plex runs.`);
  }
  if (status >= 500) return as("transient", `Plex failed to answer a request (HTTP ${status}).`);
  if (status === 401) {
    return as(
      "not-authorised",
      'Plex does not accept the token (HTTP 401). Enter a valid one as "Plex token" in the settings.'
    );
  }
  if (status === 403 && (subject === "edit" || subject === "picture")) {
    return as(
      "may-not-edit",
      `The token may read from Plex but not edit (HTTP 403). Enter the token of the server's owner as "Plex token" in the settings.`
    );
  }
  if (status === 403) {
    return as(
      "not-authorised",
      `The token may not read from Plex (HTTP 403). Enter the token of the server's owner as "Plex token" in the settings.`
    );
  }
  if (status >= 300 && status < 400) {
    return new PlexSettingsError(
      `The address of Plex sends us on${answer.redirectsTo ? ` to ${answer.redirectsTo}` : ""} (HTTP ${status}). Enter the address that Plex itself answers at as "Plex address" in the settings.`,
      { status }
    );
  }
  if (subject === "server") {
    return new PlexSettingsError(
      `What answers there is no Plex server (HTTP ${status}). Correct "Plex address" in the settings.`,
      { status }
    );
  }
  if (status === 404 && subject === "library")
    return as("transient", "Plex has just lost a library (HTTP 404).");
  if (status === 413) {
    return as(
      "bad-data",
      `The picture is too large for Plex or a proxy in front of it (HTTP ${status}). Give the scene a smaller cover.`
    );
  }
  if (status === 414 || status === 431) {
    return as(
      "bad-data",
      `The edit is too long for Plex or a proxy in front of it (HTTP ${status}). Shorten the scene's details or its list of tags.`
    );
  }
  return as("bad-data", `Plex refused a request (HTTP ${status}).`);
}
function toOutcome(error) {
  if (!(error instanceof PlexError)) throw error;
  const { kind, message, retryAfterMs } = error;
  return kind === "overloaded" ? { kind, message, retryAfterMs } : { kind, message };
}

// src/stash/picture.ts
var import_node_crypto2 = require("node:crypto");
var largestCoverBytes = 1e7;
var UnusableCover = class extends Error {
  /** `mayPass`: the same question may get another answer some day. */
  constructor(message, mayPass = false) {
    super(message);
    this.mayPass = mayPass;
    this.name = "UnusableCover";
  }
  mayPass;
};
function coverPath(address) {
  const own = /\/scene\/[^/?#]+\/screenshot(\?[^#]*)?$/.exec(address);
  if (own) return own[0];
  if (!URL.canParse(address)) return null;
  const { pathname, search } = new URL(address);
  return pathname.startsWith("/") ? pathname + search : null;
}
function coverUrl(connection, path) {
  return `${baseUrl(connection)}/${path.replace(/^\/+/, "")}`;
}
async function readCover(response) {
  if (!response.ok) {
    await response.body?.cancel();
    if (response.status === 404) return null;
    if (response.status === 500) throw new UnusableCover("Stash fails to serve it (HTTP 500).", true);
    throw troubleOfStatus(leadsToLogin(response) ? 401 : response.status);
  }
  const bytes = await readBody(response);
  const type = typeOf(bytes);
  if (type) return { bytes, sha1: (0, import_node_crypto2.createHash)("sha1").update(bytes).digest("hex"), type };
  const said = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (said === "image/svg+xml") return null;
  if (bytes.length === 0) throw new UnusableCover("it is empty.");
  throw new UnusableCover(`it is not a JPEG, PNG, GIF or WebP picture (${said || "no type"}).`);
}
function leadsToLogin({ status, headers }) {
  const [path = ""] = (headers.get("location") ?? "").split(/[?#]/);
  return status >= 300 && status < 400 && path.endsWith("/login");
}
async function readBody(response) {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > largestCoverBytes) {
    await response.body?.cancel();
    throw tooLarge(announced);
  }
  const chunks = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largestCoverBytes) throw tooLarge(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
function typeOf(bytes) {
  const text2 = bytes.toString("latin1", 0, 12);
  if (text2.startsWith("ÿØÿ")) return "image/jpeg";
  if (text2.startsWith("PNG\r\n\n")) return "image/png";
  if (/^GIF8[79]a/.test(text2)) return "image/gif";
  if (/^RIFF.{4}WEBP/s.test(text2)) return "image/webp";
  return null;
}
var tooLarge = (bytes) => new UnusableCover(`it is too large (${inMb(bytes)}; Plex takes at most ${inMb(largestCoverBytes)}).`);
var inMb = (bytes) => `${Math.ceil(bytes / 1e6)} MB`;

// src/sync/cover.ts
var freshMs = 2e3;
var noCover = { from: null, sha1: null, problem: null, bytes: async () => null };
async function coverOf(scene, known3, again, stash, signal) {
  const from = scene.cover;
  if (from === null) return noCover;
  const fetched = () => stash.cover(from, signal);
  if (known3?.from === from && !known3.fresh && (known3.sha1 !== null || !again)) {
    const { sha1 } = known3;
    return { from, sha1, problem: null, bytes: async () => await sameBytes(sha1, fetched) };
  }
  const none2 = { from, sha1: null, bytes: async () => null };
  try {
    const cover = await fetched();
    if (cover === null) return { ...none2, problem: null };
    return { from, sha1: cover.sha1, problem: null, bytes: async () => cover.bytes };
  } catch (error) {
    if (!(error instanceof UnusableCover)) throw error;
    return { ...none2, from: error.mayPass ? null : from, problem: unusable(scene, error.message) };
  }
}
function isFresh(from, now) {
  const seconds = /[?&]t=(\d+)/.exec(from ?? "")?.[1];
  return seconds !== void 0 && now < Number(seconds) * 1e3 + freshMs;
}
async function sameBytes(sha1, fetched) {
  try {
    const cover = await fetched();
    return cover?.sha1 === sha1 ? cover.bytes : null;
  } catch (error) {
    if (!(error instanceof UnusableCover)) throw error;
    return null;
  }
}
var unusable = ({ id: id2 }, why) => `The cover of scene ${id2} was not sent, and the picture in Plex stays as it is: ${why}`;

// src/sync/names.ts
var fold = (name) => name.trim().normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
function distinct(names3) {
  const byKey = /* @__PURE__ */ new Map();
  for (const name of names3.map((one) => one.trim())) {
    if (name !== "" && !byKey.has(fold(name))) byKey.set(fold(name), name);
  }
  return [...byKey.values()];
}
function without(names3, others) {
  const keys3 = new Set(others.map(fold));
  return names3.filter((name) => !keys3.has(fold(name)));
}
function among(names3, others) {
  const keys3 = new Set(others.map(fold));
  return names3.filter((name) => keys3.has(fold(name)));
}
var sameSequence = (a, b) => a.length === b.length && a.every((name, i) => fold(name) === fold(b[i] ?? ""));

// src/sync/filters.ts
function whyFiltered(scene, settings) {
  if (scene.files.length === 0) {
    return {
      rule: "no-file",
      message: `Scene ${scene.id} has no file, so Plex has nothing to show it with.`
    };
  }
  for (const rule of rules) {
    const why = reasons[rule](scene, settings, `"${syncRows[rule].label}"`);
    if (why !== null) return { rule, message: `Scene ${scene.id} is left out: ${why}.` };
  }
  return null;
}
var reasons = {
  syncOnlyOrganized: (scene, { syncOnlyOrganized }, label) => syncOnlyOrganized && !scene.organized ? `it is not marked as organised, and ${label} is on` : null,
  syncOnlyWithMetadata: (scene, { syncOnlyWithMetadata }, label) => syncOnlyWithMetadata && !hasMetadata(scene) ? `Stash knows nothing about it but its file, and ${label} is on` : null,
  syncNeverTags: ({ tags: tags2 }, { syncNeverTags }, label) => {
    const named4 = keys2(syncNeverTags);
    const tag = tags2.find(({ name }) => named4.has(fold(name)));
    return tag ? `it has the tag "${tag.name}", which ${label} names` : null;
  },
  syncOnlyTags: ({ tags: tags2 }, { syncOnlyTags }, label) => {
    const named4 = keys2(syncOnlyTags);
    if (named4.size === 0 || tags2.some(({ name }) => named4.has(fold(name)))) return null;
    return `it has no tag that ${label} names (${listed(syncOnlyTags)})`;
  },
  syncNeverStudios: ({ studio: studio2 }, { syncNeverStudios }, label) => {
    const named4 = keys2(syncNeverStudios);
    if (studio2 && named4.has(fold(studio2.name))) {
      return `it is of the studio "${studio2.name}", which ${label} names`;
    }
    if (studio2?.parent && named4.has(fold(studio2.parent.name))) {
      return `its studio "${studio2.name}" belongs to "${studio2.parent.name}", which ${label} names`;
    }
    return null;
  },
  syncOnlyStudios: ({ studio: studio2 }, { syncOnlyStudios }, label) => {
    const named4 = keys2(syncOnlyStudios);
    const isNamed = [studio2, studio2?.parent].some((one) => one && named4.has(fold(one.name)));
    if (named4.size === 0 || isNamed) return null;
    return `${studio2 ? `its studio is "${studio2.name}"` : "it has no studio"}, and ${label} names others (${listed(syncOnlyStudios)})`;
  },
  syncNeverPaths: ({ files }, { syncNeverPaths }, label) => {
    for (const { glob, matches } of matchers(syncNeverPaths)) {
      const file = files.find(matches);
      if (file !== void 0) return `its file "${file}" fits "${glob}", which ${label} names`;
    }
    return null;
  },
  syncOnlyPaths: ({ files }, { syncOnlyPaths }, label) => {
    const fits2 = matchers(syncOnlyPaths).some(({ matches }) => files.some(matches));
    if (syncOnlyPaths.length === 0 || fits2) return null;
    const own = files.length > 1 ? `its files ("${files[0]}" and others) fit` : `its file "${files[0]}" fits`;
    return `${own} none of the paths that ${label} names (${listed(syncOnlyPaths)})`;
  }
};
var rules = Object.keys(reasons);
function hasMetadata(scene) {
  const { title, details, date, studio: studio2, performers, tags: tags2, code, director, rating100, groups } = scene;
  return [title, details, date ?? "", code, director].some((text2) => text2.trim() !== "") || [performers, tags2, groups].some((list3) => list3.length > 0) || studio2 !== null || rating100 !== null;
}
var compiled = /* @__PURE__ */ new WeakMap();
function matchers(globs2) {
  const known3 = compiled.get(globs2) ?? globs2.map((glob) => ({ glob, matches: globMatcher(glob) }));
  compiled.set(globs2, known3);
  return known3;
}
var keys2 = (names3) => new Set(names3.map(fold));
var mostListed = 3;
var listed = (names3) => names3.slice(0, mostListed).map((name) => `"${name}"`).join(", ") + (names3.length > mostListed ? `, and ${names3.length - mostListed} more` : "");

// src/plex/path-map.ts
var shareRoot = "\\\\";
var withoutPrefix = (path) => path.replace(/^\\\\\?\\UNC\\/i, shareRoot).replace(/^\\\\\?\\/, "");
function parse3(path) {
  const plain = withoutPrefix(path);
  const drive = /^[a-z]:(?=[\\/]|$)/i.exec(plain)?.[0];
  if (drive) return { root: drive, names: split(plain.slice(2), /[\\/]/), windows: true };
  if (/^(\\\\|\/\/)/.test(plain)) return { root: shareRoot, names: split(plain, /[\\/]/), windows: true };
  return { root: plain.startsWith("/") ? "/" : "", names: split(plain, "/"), windows: false };
}
var split = (text2, separator) => text2.split(separator).filter((name) => name !== "");
var key = (name, windows) => windows ? name.normalize("NFC").toLowerCase() : name.normalize("NFC");
function pathKey(path) {
  const { root, names: names3, windows } = parse3(path);
  return [key(root, windows), ...names3.map((name) => key(name, windows))].join("/");
}
var samePath = (a, b) => pathKey(a) === pathKey(b);
var isInside = (path, folder) => restOf(parse3(path), parse3(folder)) !== null;
function restOf(path, folder) {
  const same = (a, b) => key(a, path.windows) === key(b, path.windows);
  if (!same(path.root, folder.root) || folder.names.length > path.names.length) return null;
  if (!folder.names.every((name, i) => same(name, path.names[i] ?? ""))) return null;
  return path.names.slice(folder.names.length);
}
function mapPath(path, rules2) {
  const parsed = parse3(path);
  let best = null;
  for (const { from, to: to2 } of rules2) {
    const folder = parse3(from || "/");
    const rest2 = restOf(parsed, folder);
    if (rest2 && (!best || folder.names.length > best.depth)) best = { depth: folder.names.length, to: to2, rest: rest2 };
  }
  if (!best) return path;
  const { rest } = best;
  const to = best.to || "/";
  if (rest.length === 0) return to;
  const separator = separatorOf(to);
  return (to.endsWith(separator) ? to : to + separator) + rest.join(separator);
}
function separatorOf(to) {
  if (!parse3(to).windows) return "/";
  return to.includes("/") && !to.includes("\\") ? "/" : "\\";
}
var baseName = (path) => parse3(path).names.at(-1) ?? path;
var nameKey = (path) => key(baseName(path), true);
function sameName(a, b) {
  const windows = parse3(a).windows || parse3(b).windows;
  return key(baseName(a), windows) === key(baseName(b), windows);
}
function folderOf(path) {
  const { windows, names: names3, root } = parse3(path);
  if (root === "" || names3.length < (root === shareRoot ? 3 : 1)) return null;
  const plain = withoutPrefix(path);
  const end = windows ? Math.max(plain.lastIndexOf("\\"), plain.lastIndexOf("/")) : plain.lastIndexOf("/");
  return plain.slice(0, names3.length === 1 ? end + 1 : end);
}
var describeRules = (rules2) => rules2.map(({ from, to }) => `${from || "/"} => ${to || "/"}`).join("; ");

// src/sync/fields.ts
var textFields = [
  { kind: "text", name: "title", called: "title", shown: ({ title }) => title },
  {
    kind: "text",
    name: "titleSort",
    called: "sort title",
    // Plex says none when it is the title.
    shown: ({ title, titleSort }) => titleSort || title
  },
  { kind: "text", name: "summary", called: "summary", shown: ({ summary }) => summary },
  { kind: "text", name: "studio", called: "studio", shown: ({ studio: studio2 }) => studio2 },
  {
    kind: "text",
    name: "originallyAvailableAt",
    called: "date",
    shown: ({ originallyAvailableAt }) => originallyAvailableAt
  },
  {
    kind: "number",
    name: "userRating",
    called: "rating",
    shown: ({ userRating }) => numberText(userRating ?? 0)
  },
  { kind: "text", name: "tagline", called: "tagline", shown: ({ tagline }) => tagline },
  {
    kind: "text",
    name: "contentRating",
    called: "content rating",
    shown: ({ contentRating }) => contentRating
  }
];
var tagFields = [
  {
    kind: "tags",
    name: "director",
    called: "director",
    ordered: false,
    shown: ({ directors }) => directors
  },
  { kind: "tags", name: "actor", called: "actors", ordered: true, shown: ({ actors }) => actors },
  { kind: "tags", name: "genre", called: "genres", ordered: false, shown: ({ genres }) => genres },
  { kind: "tags", name: "label", called: "labels", ordered: false, shown: ({ labels }) => labels },
  {
    kind: "tags",
    name: "collection",
    called: "collections",
    ordered: false,
    shown: ({ collections: collections2 }) => collections2
  }
];
var comparable = (field2, value) => field2.kind === "number" ? numberText(Number(value)) : value;
var numberText = (value) => {
  const rounded = Math.round(value * 10) / 10;
  return rounded === 0 ? "" : String(rounded);
};
function fingerprints(wanted) {
  const found = {};
  for (const field2 of textFields) {
    const value = wanted[field2.name];
    if (value !== void 0) found[field2.name] = fingerprint(field2, value);
  }
  for (const field2 of tagFields) {
    const names3 = wanted[field2.name];
    if (names3) found[field2.name] = listFingerprint(field2, names3);
  }
  return found;
}
function listFingerprint({ ordered }, names3) {
  const folded = names3.map(fold);
  return shortHash(ordered ? folded : folded.sort());
}
var cutMark = (field2, wanted, written3) => shortHash(["cut", listFingerprint(field2, wanted), listFingerprint(field2, written3)]);
var fingerprint = (field2, value) => shortHash(comparable(field2, value));
var nameHash = (name) => shortHash(fold(name)).slice(0, 6);

// src/sync/sort-title.ts
var leadingArticle = /^\s*(?:the|das|der|a|an|el|la)\s+(?=\S)/iu;
var sortTitle = (title) => title.replace(leadingArticle, "");

// src/sync/own-values.ts
var mostTried = 16;
function isOwnText(field2, item, ours, titles = [item.title]) {
  const shown3 = field2.shown(item);
  if (shown3 === "" || isOurText(field2, shown3, ours)) return false;
  if (field2.name === "title") return !isFromFile(shown3, item);
  if (field2.name === "titleSort") {
    const made2 = titles.flatMap((title) => [title, sortTitle(title)]);
    return !made2.includes(shown3) && !isFromFile(shown3, item);
  }
  return true;
}
function isOurText(field2, shown3, ours) {
  const hash = fingerprint(field2, shown3);
  return ours?.wrote[field2.name] === hash || (ours?.tried?.[field2.name] ?? []).includes(hash);
}
function ourNames(list3, shown3, ours) {
  const hashes = new Set(ours?.names[list3] ?? []);
  return shown3.filter((name) => hashes.has(nameHash(name)));
}
function possible(field2, wanted, item, ours) {
  const shown3 = among(wanted, field2.shown(item));
  const isCut = ours?.tried?.[field2.name]?.includes(cutMark(field2, wanted, shown3)) ?? false;
  return isCut ? shown3 : [...wanted];
}
function isFromFile(title, item) {
  const forms = item.files.flatMap((file) => {
    const name = baseName(file);
    const plain = name.replace(/(?<=.)\.[^.]*$/u, "");
    const short = [plain, plain.replace(yearAndRest, " $1"), plain.replace(yearAndRest, "")];
    return [name, ...short, ...short.map((form) => form.replace(/\[[^\]]*\]/gu, " "))].map(words);
  });
  return new Set(forms.flatMap((form) => [form, sortTitle(form)])).has(words(title));
}
var yearAndRest = /[\s._([-]+([12]\d{3})(?!\d).*$/u;
var words = (text2) => text2.normalize("NFC").replace(/[\s._()+-]+/gu, " ").trim().toLowerCase();
function isSettled(wanted, former, ours) {
  const now = Object.entries(fingerprints(wanted));
  return now.every(([field2, hash]) => ours.wrote[field2] === hash) && former.every((list3) => (ours.names[list3] ?? []).length === 0);
}
function triedBefore(wanted, edit, ours) {
  const now = fingerprints(wanted);
  const changing2 = [...edit?.texts ?? [], ...edit?.lists ?? []].map(({ field: field2 }) => field2);
  const wrote = { ...ours?.wrote };
  const tried = { ...ours?.tried };
  for (const field2 of changing2) {
    tried[field2] = union2(tried[field2], wrote[field2], now[field2]);
    delete wrote[field2];
  }
  const names3 = { ...ours?.names };
  for (const { field: field2 } of edit?.lists ?? []) {
    names3[field2] = [.../* @__PURE__ */ new Set([...names3[field2] ?? [], ...(wanted[field2] ?? []).map(nameHash)])];
  }
  return made(wrote, tried, names3);
}
function oursAfter(wanted, item, edit, ours, options, applied) {
  const wrote = fingerprints(wanted);
  const tried = {};
  const names3 = {};
  for (const field2 of textFields) {
    const { name } = field2;
    if (wanted[name] === void 0) {
      tried[name] = union2(ours?.tried?.[name], ours?.wrote[name]);
      continue;
    }
    const change = edit?.texts.find((text2) => text2.field === name && !text2.isOwn);
    const written3 = applied?.shortened[name] ?? change?.value;
    const now = written3 ?? field2.shown(item);
    if (written3 === void 0 && !isOurText(field2, now, ours)) continue;
    tried[name] = [fingerprint(field2, now)].filter((hash) => hash !== wrote[name]);
  }
  for (const field2 of tagFields) {
    const { name } = field2;
    const list3 = wanted[name];
    if (list3) {
      names3[name] = list3.map(nameHash);
      const isChanged = edit?.lists.some((change) => change.field === name) ?? false;
      const written3 = isChanged ? applied?.shortenedLists[name] ?? list3 : possible(field2, list3, item, ours);
      if (written3.length < list3.length) tried[name] = [cutMark(field2, list3, written3)];
    } else if (!options.former.includes(name)) names3[name] = ours?.names[name] ?? [];
  }
  return made(wrote, tried, names3);
}
function union2(tried, ...more) {
  const found = [...tried ?? [], ...more.filter((hash) => hash !== void 0)];
  return [...new Set(found)].slice(-mostTried);
}
function made(wrote, tried, names3) {
  const filled = (lists2) => Object.fromEntries(Object.entries(lists2).filter(([, hashes]) => hashes.length > 0));
  const rest = filled(tried);
  return { wrote, ...Object.keys(rest).length > 0 ? { tried: rest } : {}, names: filled(names3) };
}

// src/plex/query-string.ts
var encode = (text2) => encodeURIComponent(text2.toWellFormed());
var queryString = (params) => params.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");

// src/sync/parcels.ts
var parcelBytes = 7e3;
var ladder = [56e3, 28e3, 14e3, parcelBytes];
var shortestCutBytes = 4e3;
var ellipsis = "…";
function parcelsOf(edit) {
  return pack([...edit.texts.map(setting), ...edit.lists.flatMap(changing)]);
}
function pack(units) {
  const parcels = [];
  for (const unit of units) {
    const last = parcels.at(-1);
    if (last && sizeOf([...last, ...unit]) <= parcelBytes) parcels[parcels.length - 1] = [...last, ...unit];
    else parcels.push(unit);
  }
  return parcels;
}
var setting = ({ field: field2, value }) => [
  [`${field2}.value`, value],
  [`${field2}.locked`, "1"]
];
function changing(list3) {
  const { names: names3, remove } = list3;
  const whole = [...named(list3, names3), ...removed(list3, remove), ...locked(list3)];
  if (sizeOf(whole) <= parcelBytes) return [whole];
  return [...naming(list3), ...removing(list3, remove)];
}
var namingWhole = (list3) => [...named(list3, list3.names), ...locked(list3)];
var naming = (list3) => {
  const own = hasLongOwn(list3) ? [] : list3.own;
  const names3 = list3.names.slice(0, list3.names.length - own.length);
  if (names3.length === 0 && own.length > 0) return [namingWhole(list3)];
  return chunked(names3, (part, start) => [...named(list3, [...part, ...own], start), ...locked(list3)]);
};
var removing = (list3, names3) => chunked(names3, (part) => [...removed(list3, part), ...locked(list3)]);
var emptying = (list3, shown3) => shown3.length === 0 ? [] : chunked(shown3, (part) => [[`${list3.field}[].tag`, ""], ...removed(list3, part), ...locked(list3)]);
var hasLongOwn = (list3) => sizeOf(named(list3, list3.own)) > parcelBytes / 2;
var isLongText = (change) => sizeOf(setting(change)) > parcelBytes;
var isLongList = (list3) => sizeOf(namingWhole(list3)) > parcelBytes;
function* shorterTexts(change) {
  yield change.value;
  const overhead = sizeOf(setting({ ...change, value: "" }));
  for (const bytes of rungsBelow(sizeOf(setting(change)))) yield cutText(change.value, bytes - overhead);
}
function* shorterLists(list3) {
  yield list3;
  const wanted = list3.names.slice(0, list3.names.length - list3.own.length);
  const size = (names3) => sizeOf([...named(list3, names3), ...locked(list3)]);
  for (const bytes of rungsBelow(size(list3.names))) {
    let fits2 = 0;
    while (fits2 < wanted.length && size([...wanted.slice(0, fits2 + 1), ...list3.own]) <= bytes) fits2 += 1;
    yield { ...list3, names: [...wanted.slice(0, fits2), ...list3.own] };
  }
}
var isCutOf = (shown3, value) => shown3.endsWith(ellipsis) && encode(shown3).length >= shortestCutBytes && value.startsWith(shown3.slice(0, -ellipsis.length));
function cutText(text2, bytes) {
  let left = bytes - encode(ellipsis).length;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter(void 0, { granularity: "grapheme" }).segment(text2)) {
    left -= encode(segment).length;
    if (left < 0) break;
    end = index + segment.length;
  }
  return text2.slice(0, end).trimEnd() + ellipsis;
}
var rungsBelow = (bytes) => ladder.filter((rung) => rung < bytes);
var named = ({ field: field2 }, names3, start = 0) => names3.map((name, i) => [`${field2}[${start + i}].tag.tag`, name]);
var removed = ({ field: field2 }, names3) => names3.length === 0 ? [] : [[`${field2}[].tag.tag-`, names3.map(encode).join(",")]];
var locked = ({ field: field2, lock: lock2 }) => lock2 === null ? [] : [[`${field2}.locked`, lock2 ? "1" : "0"]];
function chunked(names3, unit) {
  const units = [];
  for (let start = 0; start < names3.length; ) {
    const rest = names3.slice(start);
    const [part] = halves(rest).filter((some) => sizeOf(unit(some, start)) <= parcelBytes);
    const taken = part ?? rest.slice(0, 1);
    units.push(unit(taken, start));
    start += taken.length;
  }
  return units;
}
var halves = (names3) => names3.length <= 1 ? [names3] : [names3, ...halves(names3.slice(0, Math.ceil(names3.length / 2)))];
var sizeOf = (params) => queryString(params).length;

// src/sync/difference.ts
function difference(wanted, item, ours, options) {
  const verdicts = judge(wanted, item, ours, options);
  const texts2 = verdicts.flatMap(({ text: text2 }) => text2 ?? []);
  const lists2 = verdicts.flatMap(({ list: list3 }) => list3 ?? []);
  if (texts2.length === 0 && lists2.length === 0) return null;
  const kept = verdicts.filter(({ keeps }) => keeps).map(({ compared }) => compared.called);
  return { texts: texts2, lists: lists2, fields: [...texts2, ...lists2].map(({ called }) => called), kept };
}
function compare2(wanted, item, ours, options) {
  return judge(wanted, item, ours, options).map(({ compared }) => compared);
}
function judge(wanted, item, ours, options) {
  const texts2 = [];
  for (const field2 of textFields) {
    const value = wanted[field2.name];
    if (value === void 0) continue;
    const title = texts2.find(({ compared }) => compared.field === "title");
    texts2.push(
      field2.name === "titleSort" && title ? judgeSortTitle(field2, value, title, item, ours, options) : judgeText(field2, value, item, ours, options)
    );
  }
  const lists2 = tagFields.flatMap((field2) => {
    const names3 = wanted[field2.name];
    if (names3) return judgeList(field2, names3, item, ours, options);
    return options.former.includes(field2.name) ? judgeFormer(field2, item, ours) : [];
  });
  return [...texts2, ...lists2];
}
function judgeText(field2, value, item, ours, { keepsOwn }, titles) {
  const shown3 = field2.shown(item);
  const same = comparable(field2, shown3) === comparable(field2, value) || isCutOf(shown3, value) && isOurText(field2, shown3, ours);
  if (same) return textVerdict(field2, item, value, "same");
  return textVerdict(field2, item, value, keepsOwn && isOwnText(field2, item, ours, titles) ? "kept" : "write");
}
function judgeSortTitle(field2, value, title, item, ours, options) {
  const keepsTitle = title.compared.verdict === "kept";
  const follows = keepsTitle ? sortTitle(item.title) : value;
  const shown3 = field2.shown(item);
  if (keepsTitle && shown3 === value && shown3 !== follows) return textVerdict(field2, item, follows, "write");
  const titles = title.text ? [item.title, title.text.value] : [item.title];
  const judged = judgeText(field2, follows, item, ours, options, titles);
  const isSafe = item.titleSort !== "" && item.locked.includes(field2.name);
  if (!title.text || isSafe || judged.text) return judged;
  if (!judged.keeps) return textVerdict(field2, item, follows, "write");
  return { ...judged, text: { field: field2.name, called: field2.called, value: shown3, isOwn: true } };
}
function textVerdict(field2, item, value, verdict) {
  const { name, called } = field2;
  const compared = { field: name, called, shown: field2.shown(item), wanted: value, verdict };
  const keeps = verdict === "kept";
  return verdict === "write" ? { compared, keeps, text: { field: name, called, value } } : { compared, keeps };
}
function judgeList(field2, all, item, ours, { keepsOwn }) {
  const wanted = possible(field2, all, item, ours);
  const shown3 = distinct(field2.shown(item));
  const extra = without(field2.shown(item), wanted);
  const remove = keepsOwn ? ourNames(field2.name, extra, ours) : extra;
  const own = distinct(without(extra, remove));
  const names3 = [...wanted, ...own];
  const order = field2.ordered ? wanted : [];
  const missing = without(wanted, shown3);
  const moved = field2.ordered && !sameSequence([...among(shown3, wanted), ...missing], wanted);
  const same = remove.length === 0 && missing.length === 0 && !moved;
  const keeps = own.length > 0;
  const { name, called } = field2;
  const verdict = same ? keeps ? "kept" : "same" : "write";
  const compared = { field: name, called, shown: field2.shown(item), wanted: names3, verdict };
  if (same) return { compared, keeps };
  return { compared, keeps, list: { field: name, called, names: names3, own, order, remove, moved, lock: true } };
}
function judgeFormer(field2, item, ours) {
  const shown3 = field2.shown(item);
  const remove = ourNames(field2.name, shown3, ours);
  if (remove.length === 0) return [];
  const { name, called } = field2;
  const rest = without(shown3, remove);
  const compared = { field: name, called, shown: shown3, wanted: rest, verdict: "write" };
  const lock2 = rest.length === 0 && item.locked.includes(name) ? false : null;
  const list3 = { field: name, called, names: [], own: [], order: [], remove, moved: false, lock: lock2 };
  return [{ compared, keeps: rest.length > 0, list: list3 }];
}

// src/sync/messages.ts
var mostListed2 = 5;
var listed2 = (texts2) => {
  const shown3 = texts2.slice(0, mostListed2).map((text2) => `"${text2}"`);
  const more = texts2.length - shown3.length;
  return shown3.join(", ") + (more > 0 ? ` and ${more} more` : "");
};
function notInPlex(scene, mapped, rules2, folders) {
  const changed = mapped.some((path, i) => path !== scene.files[i]);
  const from = changed ? ` (from ${listed2(scene.files)} by the path map "${describeRules(rules2)}")` : "";
  const elsewhere = folders.length > 0 && !mapped.some((path) => folders.some((folder) => isInside(path, folder))) ? ` It is in none of the folders that Plex looks at: ${listed2(folders)}.` : "";
  const todo = rules2.length > 0 ? 'If the file is elsewhere in Plex, correct "Path map" in the settings.' : 'If Plex sees the file under another path, enter that under "Path map" in the settings, like "/data => /media".';
  return `Scene ${scene.id} was not synced: Plex has no item for ${listed2(mapped)}${from}.${elsewhere} ${todo}`;
}
function vanished(scene) {
  return `Scene ${scene} was not synced: Plex dropped its item while it was being written. Plex may be scanning; if it stays away, look at the library in Plex.`;
}
function severalItems(scene, candidates) {
  const items = candidates.map(
    ({ title, library, ratingKey, file }) => `"${title}" in "${library}" (item ${ratingKey}, ${file})`
  );
  return `Scene ${scene.id} was not synced: it is ${items.length} items in Plex, and none was touched: ${items.join("; ")}. Remove all but one in Plex, merge them there, or choose one library under "Plex libraries" in the settings.`;
}
function sameItem(scene, keeper, item, byName) {
  const where = item.files[0] ?? `item ${item.ratingKey}`;
  const why = byName ? "because its file's whole path agrees, not only the name" : "because its id is lower";
  const todo = byName ? `If scene ${scene} is another film, let Plex scan the folder of its file.` : "Merge the two in Stash, or delete one of them.";
  return `Scene ${scene} was not synced: it and scene ${keeper} are the same item in Plex ("${item.title}", ${where}). Scene ${keeper} is the one kept in step, ${why}. ${todo}`;
}
function written(scene, title, what) {
  const { fields: fields3, kept, problems, instead, byName } = what;
  return [
    `Scene ${scene.id} "${title}" is in step: ${fields3.length > 0 ? `${fields3.join(", ")} written` : "nothing to write"}.`,
    ...kept.length > 0 ? [`Plex's own ${kept.join(", ")} stayed.`] : [],
    ...byName ? ["It was found by the name of its file alone."] : [],
    ...instead === null ? [] : [`It is the same item as scene ${instead}, which it stands for now.`],
    ...problems
  ].join(" ");
}

// src/sync/apply-edit.ts
var moreRounds = 3;
async function applyEdit(difference2, item, plex, habits, signal, more = []) {
  const edit = difference2 ?? { texts: [], lists: [] };
  const writer = new Writer(item, plex, signal);
  const plan = planFor(edit, more, item, habits);
  for (const params of plan.first) await writer.put(params);
  for (const params of pack(plan.anew.flatMap(naming))) await writer.put(params);
  for (const list3 of plan.whole) await writer.whole(list3);
  for (const change of edit.texts.filter(isLongText)) await writer.longText(change);
  if (plan.isSure) return writer.applied;
  let seen = await writer.look();
  if (remaining(edit.lists, seen).length === 0) {
    if (plan.first.length === 1) learnRemovals(plan.direct, habits);
  } else {
    habits.sawNotRemoved();
    seen = await removeOneByOne(edit.lists, seen, writer);
  }
  const parts = edit.lists.filter((list3) => isLongList(list3) && !plan.whole.includes(list3));
  const torn = parts.filter((list3) => without(list3.names, shownIn(list3, seen)).length > 0);
  if (parts.length > 0) habits.takesParts = torn.length === 0;
  for (const list3 of torn) await writer.whole(list3);
  for (const list3 of plan.direct) {
    if (list3.moved && !isLongList(list3)) habits.ordersAsSent = isInOrder(list3, seen);
  }
  const wrong = edit.lists.filter(
    (list3) => !isInOrder(list3, seen) && !torn.includes(list3) && !plan.whole.includes(list3)
  );
  const disproved = plan.anew.filter((list3) => wrong.includes(list3));
  if (disproved.some(({ own }) => own.length === 0)) habits.empties = null;
  if (disproved.some(({ own }) => own.length > 0)) habits.sawNotRemoved();
  for (const list3 of wrong) {
    if (list3.own.length > 0 || habits.empties !== false) await nameAnew(list3, seen, writer, habits);
  }
  return writer.applied;
}
function planFor(edit, more, item, habits) {
  const whole = edit.lists.filter((list3) => isLongList(list3) && !mayGoInParts(list3, habits));
  const rest = edit.lists.filter((list3) => !whole.includes(list3));
  const anew = rest.filter((list3) => list3.moved && canBeForgotten(list3, item, habits));
  const direct = rest.filter((list3) => !anew.includes(list3));
  const first = pack([
    ...more.length > 0 ? [more] : [],
    ...edit.texts.filter((change) => !isLongText(change)).map(setting),
    ...direct.flatMap(changing),
    ...whole.flatMap((list3) => removing(list3, list3.remove)),
    ...anew.flatMap((list3) => forgetting(list3, item))
  ]);
  const removals = [...direct, ...whole].reduce((sum2, { remove }) => sum2 + remove.length, 0) + anew.reduce((sum2, list3) => sum2 + forgotten(list3, item).length, 0);
  const isSure = direct.every((list3) => list3.remove.length === 0 || habits.removes(howRemoved(list3), removals)) && anew.every((list3) => list3.own.length === 0 || habits.removes("alone", removals)) && whole.every((list3) => list3.remove.length === 0 || habits.takesParts === false) && direct.every((list3) => isOrderSure(list3, habits)) && rest.every((list3) => !isLongList(list3) || habits.takesParts === true);
  return { first, direct, anew, whole, isSure };
}
var mayGoInParts = (list3, { takesParts }) => takesParts ?? !hasLongOwn(list3);
function canBeForgotten(list3, item, habits) {
  if (habits.ordersAsSent !== false) return false;
  if (list3.own.length === 0) return habits.empties === true;
  return habits.removes("alone", forgotten(list3, item).length);
}
var forgotten = (list3, seen) => list3.own.length === 0 ? shownIn(list3, seen) : among(shownIn(list3, seen), [...list3.order, ...list3.remove]);
var forgetting = (list3, seen) => list3.own.length === 0 ? emptying(list3, forgotten(list3, seen)) : removing(list3, forgotten(list3, seen));
function isOrderSure(list3, habits) {
  if (list3.order.length === 0) return true;
  if (isLongList(list3)) return false;
  if (!list3.moved || habits.ordersAsSent === true) return true;
  return list3.own.length === 0 && habits.ordersAsSent === false && habits.empties === false;
}
var howRemoved = ({ names: names3 }) => names3.length > 0 ? "beside-names" : "alone";
function learnRemovals(lists2, habits) {
  for (const how of ["beside-names", "alone"]) {
    const of = lists2.filter((list3) => howRemoved(list3) === how);
    habits.sawRemoved(
      how,
      of.reduce((sum2, { remove }) => sum2 + remove.length, 0)
    );
  }
}
var remaining = (lists2, seen) => lists2.flatMap((list3) => among(shownIn(list3, seen), list3.remove).map((name) => ({ list: list3, name })));
async function removeOneByOne(lists2, first, writer) {
  let seen = first;
  for (let round = 0; round < moreRounds; round++) {
    for (const { list: list3, name } of remaining(lists2, seen)) {
      for (const params of removing(list3, [name])) await writer.put(params);
    }
    seen = await writer.look();
    if (remaining(lists2, seen).length === 0) return seen;
  }
  const stubborn = remaining(lists2, seen).map(({ name }) => `"${name}"`);
  throw new PlexError(
    "bad-data",
    `Plex does not let go of ${stubborn.join(", ")}. Remove it there by hand, then retry.`
  );
}
var isInOrder = (list3, seen) => sameSequence(among(shownIn(list3, seen), list3.order), list3.order);
async function nameAnew(list3, seen, writer, habits) {
  const requests = pack(forgetting(list3, seen));
  for (const params of requests) await writer.put(params);
  const count4 = forgotten(list3, seen).length;
  if (list3.own.length === 0) {
    if (habits.empties === null) habits.empties = shownIn(list3, await writer.look()).length === 0;
  } else if (!habits.removes("alone", count4)) {
    const left = forgotten(list3, await writer.look());
    if (left.length > 0) habits.sawNotRemoved();
    else if (requests.length === 1) habits.sawRemoved("alone", count4);
    for (const params of left.flatMap((name) => removing(list3, [name]))) await writer.put(params);
  }
  if (isLongList(list3) && !mayGoInParts(list3, habits)) await writer.whole(list3);
  else for (const params of naming(list3)) await writer.put(params);
}
var shownIn = ({ field: field2 }, item) => tagFields.find(({ name }) => name === field2)?.shown(item) ?? [];
var Writer = class {
  constructor(item, plex, signal) {
    this.item = item;
    this.plex = plex;
    this.signal = signal;
  }
  item;
  plex;
  signal;
  applied = { cut: [], shortened: {}, shortenedLists: {} };
  async put(params) {
    try {
      await this.plex.edit(this.item.sectionKey, this.item.ratingKey, params, this.signal);
    } catch (error) {
      throw error instanceof PlexError && error.status === 404 ? new ItemVanished() : error;
    }
  }
  async look() {
    const seen = await this.plex.item(this.item.ratingKey, this.signal);
    if (seen === null) throw new ItemVanished();
    return seen;
  }
  async longText(change) {
    const value = await this.#longest(shorterTexts(change), (text2) => setting({ ...change, value: text2 }));
    if (value === change.value) return;
    this.applied.shortened[change.field] = value;
    this.applied.cut.push(
      `The ${change.called} was cut to ${value.length} of ${change.value.length} characters: ${whyCut}`
    );
  }
  /** Names a long list in one request. */
  async whole(list3) {
    const written3 = await this.#longest(shorterLists(list3), namingWhole);
    const lost = list3.names.length - written3.names.length;
    if (lost === 0) return;
    this.applied.shortenedLists[list3.field] = without(written3.names, list3.own);
    this.applied.cut.push(`Of ${list3.names.length} ${list3.called} the last ${lost} were left out: ${whyCut}`);
  }
  /** The first of ever shorter attempts whose address is not too long. */
  async #longest(attempts, paramsOf) {
    let refusal;
    for (const attempt of attempts) {
      try {
        await this.put(paramsOf(attempt));
        return attempt;
      } catch (error) {
        if (!isTooLong(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }
};
var whyCut = "the whole is too long for Plex, or for a proxy in front of it.";
var isTooLong = (error) => error instanceof PlexError && (error.status === 414 || error.status === 431);
var ItemVanished = class extends Error {
  constructor() {
    super("The item vanished from Plex while it was being written.");
    this.name = "ItemVanished";
  }
};

// src/sync/pictures.ts
var mostRemembered = 10;
var fieldOf = { poster: "thumb", art: "art" };
var inWords2 = { poster: "poster", art: "background" };
var isUploadOf = (sha1, { key: key2 }) => key2.startsWith("upload://") && key2.endsWith(`/${sha1}`);
function pictureKinds({ syncPictureAs, syncSkipFields }) {
  if (syncPictureAs === "none" || syncSkipFields.includes("picture")) return [];
  if (syncPictureAs === "both") return ["poster", "art"];
  return [syncPictureAs === "poster" ? "poster" : "art"];
}
var picturesSettled = (kinds3, cover, known3) => kinds3.every((kind) => known3?.settled[kind] === (cover.sha1 ?? ""));
async function pictureSteps(question, plex, signal) {
  const plan = { steps: [], shown: [], kept: [] };
  for (const kind of question.cover.sha1 === null ? [] : question.kinds) {
    const found = await stepFor(kind, question.cover.sha1 ?? "", question, plex, signal);
    if (found === "keep") plan.kept.push(inWords2[kind]);
    else if (found === "nothing") plan.shown.push(kind);
    else plan.steps.push({ kind, ...found });
  }
  return plan;
}
async function stepFor(kind, sha1, { item, known: known3, trusted, isAsLeft, keepsOwn }, plex, signal) {
  const isLocked = item.locked.includes(fieldOf[kind]);
  const isUntouched = isAsLeft || known3?.shown[kind] === item[fieldOf[kind]];
  const isOurs = trusted && known3?.set[kind] !== void 0 && isUntouched;
  if (isOurs && known3.set[kind] === sha1) return "nothing";
  const mayBeOwn = keepsOwn && isLocked && !isOurs;
  if (!mayBeOwn && trusted && known3 && !known3.uploaded[kind]?.includes(sha1)) return { act: "upload" };
  const images = await imagesOf(item, kind, plex, signal);
  const selected = images.find((image) => image.selected);
  const ours = [sha1, known3?.set[kind] ?? sha1, ...known3?.uploaded[kind] ?? []];
  if (mayBeOwn && selected && !ours.some((one) => isUploadOf(one, selected))) return "keep";
  if (selected && isUploadOf(sha1, selected)) return isLocked ? "nothing" : { act: "lock" };
  const there = images.find((image) => isUploadOf(sha1, image));
  return there ? { act: "select", key: there.key } : { act: "upload" };
}
async function imagesOf({ ratingKey }, kind, plex, signal) {
  try {
    return await plex.images(ratingKey, kind, signal);
  } catch (error) {
    throw error instanceof PlexError && error.status === 404 ? new ItemVanished() : error;
  }
}
async function applyPictures(steps, cover, item, plex, signal) {
  const done = [];
  const problems = [];
  let failure = null;
  let isOutdated = false;
  for (const step of steps) {
    try {
      if (await show(step, cover, item, plex, signal)) done.push(step);
      else isOutdated = true;
    } catch (error) {
      if (!(error instanceof PlexError)) throw error;
      if (error.status === 404) throw new ItemVanished();
      const said = `Plex did not take the ${inWords2[step.kind]}: ${error.message}`;
      if (error.kind === "bad-data") problems.push(said);
      else if (error.kind === "transient") failure = new PlexError("transient", said, { cause: error });
      else throw error;
    }
  }
  return {
    done,
    locks: done.filter(({ kind }) => !item.locked.includes(fieldOf[kind])).map(({ kind }) => [`${fieldOf[kind]}.locked`, "1"]),
    fields: done.map(({ kind }) => inWords2[kind]),
    problems,
    failure,
    isOutdated
  };
}
async function show(step, cover, item, plex, signal) {
  if (step.act === "lock") return true;
  if (step.act === "select") {
    await plex.select(item.ratingKey, step.kind, step.key, signal);
    return true;
  }
  const bytes = await cover.bytes();
  if (bytes === null) return false;
  await plex.upload(item.ratingKey, step.kind, bytes, signal);
  return true;
}
var nothingKnown = {
  from: null,
  sha1: null,
  settled: {},
  set: {},
  shown: {},
  uploaded: {}
};
function picturesBefore({ sha1 }, steps, known3) {
  const uploads = steps.filter(({ act }) => act === "upload");
  if (sha1 === null || uploads.length === 0) return known3;
  const before = known3 ?? nothingKnown;
  const tried = uploads.map(({ kind }) => [kind, remembered(before.uploaded[kind], sha1)]);
  return { ...before, uploaded: { ...before.uploaded, ...Object.fromEntries(tried) } };
}
function picturesAfter({ cover, kinds: kinds3 }, shown3, { done, isOutdated }, seen, known3, now) {
  const { sha1 } = cover;
  const from = isOutdated ? null : cover.from;
  const next2 = {
    from,
    ...isFresh(from, now) && { fresh: true },
    sha1,
    settled: {},
    set: {},
    shown: {},
    uploaded: { ...known3?.uploaded }
  };
  const isMissing2 = sha1 === null && cover.problem === null && kinds3.length > 0;
  if (isMissing2) next2.missingSince = known3?.missingSince ?? now;
  for (const kind of kinds3) {
    if (!isOutdated) next2.settled[kind] = sha1 ?? "";
    if (sha1 === null || !(shown3.includes(kind) || done.some((step) => step.kind === kind))) continue;
    next2.set[kind] = sha1;
    next2.uploaded[kind] = remembered(known3?.uploaded[kind], sha1);
    if (seen) next2.shown[kind] = seen[fieldOf[kind]];
  }
  return next2;
}
var remembered = (uploaded, sha1) => [...(uploaded ?? []).filter((one) => one !== sha1), sha1].slice(-mostRemembered);

// src/sync/sight.ts
var writingMs = 5e3;
var clocksMs = 2e3;
function isAsWeLeftIt({ seen, at }, updatedAt) {
  if (updatedAt === 0) return false;
  if (seen !== void 0) return seen === updatedAt;
  const changedAt = updatedAt * 1e3;
  return changedAt >= at - writingMs && changedAt <= at + clocksMs;
}

// src/sync/wanted.ts
function wantedState(scene, settings) {
  const skips = (field2) => settings.syncSkipFields.includes(field2);
  const title = titleOf(scene);
  const wanted = { ...lists(scene, settings, skips) };
  if (!skips("title")) wanted.title = title;
  if (!skips("sortTitle")) wanted.titleSort = sortTitle(title);
  if (!skips("summary")) wanted.summary = clean(scene.details);
  if (!skips("studio")) wanted.studio = studioOf(scene, settings);
  if (!skips("date")) wanted.originallyAvailableAt = fullDate(scene.date);
  if (!skips("rating")) wanted.userRating = ratingOf(scene);
  if (!skips("code")) wanted.tagline = clean(scene.code);
  if (!skips("contentRating") && settings.syncContentRating !== "") {
    wanted.contentRating = clean(settings.syncContentRating);
  }
  return wanted;
}
function lists(scene, settings, skips) {
  const found = {};
  if (!skips("director")) found.director = names2([scene.director]);
  if (!skips("performers")) found.actor = names2(scene.performers.map(({ name }) => name));
  const tags2 = names2(scene.tags.map(({ name }) => name));
  if (!skips("tags") && settings.syncTagsAs === "genres") found.genre = tags2;
  if (!skips("tags") && settings.syncTagsAs === "labels") found.label = tags2;
  if (hasCollections(settings)) found.collection = collections(scene, settings, skips);
  return found;
}
function collections(scene, settings, skips) {
  const { studio: studio2, groups, tags: tags2 } = settings.syncCollectionsFrom;
  const chosen = new Set(tags2.map(fold));
  const from = [];
  if (!skips("collections")) {
    if (studio2 && scene.studio) from.push(scene.studio.name);
    if (groups) from.push(...scene.groups.map(({ name }) => name));
    from.push(...scene.tags.map(({ name }) => name).filter((name) => chosen.has(fold(name))));
  }
  if (tagsAreCollections(settings)) from.push(...scene.tags.map(({ name }) => name));
  return names2(from);
}
var tagsAreCollections = ({ syncSkipFields, syncTagsAs }) => syncTagsAs === "collections" && !syncSkipFields.includes("tags");
function hasCollections(settings) {
  const { studio: studio2, groups, tags: tags2 } = settings.syncCollectionsFrom;
  const chosen = (studio2 || groups || tags2.length > 0) && !settings.syncSkipFields.includes("collections");
  return chosen || tagsAreCollections(settings);
}
function formerLists(settings) {
  const { syncSkipFields, syncTagsAs } = settings;
  const former = [];
  const skipsTags = syncSkipFields.includes("tags");
  if (!skipsTags && syncTagsAs !== "genres") former.push("genre");
  if (!skipsTags && syncTagsAs !== "labels") former.push("label");
  const leavesCollections = syncSkipFields.includes("collections") || skipsTags && syncTagsAs === "collections";
  if (!leavesCollections && !hasCollections(settings)) former.push("collection");
  return former;
}
var titleOf = (scene) => {
  const title = clean(scene.title);
  return title.trim() === "" ? titleFromFile(clean(scene.files[0] ?? "")) : title;
};
function titleFromFile(path) {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
function studioOf({ studio: studio2 }, { syncStudioParent }) {
  const name = clean(studio2?.name ?? "");
  const parent = clean(studio2?.parent?.name ?? "").trim();
  if (!syncStudioParent || parent === "" || fold(parent) === fold(name)) return name;
  return `${name} (${parent})`;
}
function ratingOf({ rating100 }) {
  if (rating100 === null || rating100 <= 0) return "";
  return String(Math.min(Math.round(rating100), 100) / 10);
}
function fullDate(date) {
  const [, year, month = "01", day = "01"] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(date?.trim() ?? "") ?? [];
  if (year === void 0) return "";
  const text2 = `${year}-${month}-${day}`;
  const parsed = /* @__PURE__ */ new Date(`${text2}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text2) ? text2 : "";
}
var names2 = (raw) => distinct(raw.map(clean));
var clean = (text2) => text2.toWellFormed().replace(unspeakable, "");
var unspeakable = new RegExp("(?![\\t\\n\\r\\u0080-\\u009f])\\p{Cc}|[\\ufffe\\uffff]", "gu");

// src/sync/plan.ts
async function planScene(job2, ports, conclude) {
  const { stash, finder, ledger, settings, signal } = ports;
  const scene = await stash.scene(job2.scene, signal);
  if (scene === null) return await conclude({ kind: "gone" });
  const filtered = whyFiltered(scene, settings);
  if (filtered) return await conclude({ kind: "filtered", ...filtered });
  const isListed = job2.listFirst === true && finder.index.isReady();
  const looksAnyway = job2.asked || ledger.get(scene.id) === void 0;
  if (job2.listFirst && !isListed && looksAnyway) return await conclude({ kind: "listing" });
  const kinds3 = pictureKinds(settings);
  const again = job2.asked && !job2.listFirst || job2.secondLook === true;
  const before = ledger.get(scene.id)?.pictures;
  const cover = kinds3.length > 0 ? await coverOf(scene, before, again, stash, signal) : noCover;
  const known3 = ledger.get(scene.id);
  const aim = aimFor(scene, cover, known3, ports);
  const { files } = aim;
  const settled = known3 !== void 0 && saysAllIsWell(known3, aim, settings) ? known3 : null;
  if (settled && !job2.asked) return await conclude({ kind: "settled", aim, known: settled, seen: null });
  if (job2.listFirst && !isListed) return await conclude({ kind: "listing" });
  if (settled && isListed) {
    const seen = seenInListing(settled, aim, ports);
    if (seen !== null) return await conclude({ kind: "settled", aim, known: settled, seen });
  }
  const maybeSeveral = files.length > 1 && known3?.file !== aim.file;
  const isRemembered = known3 && !known3.byName && !maybeSeveral;
  if (isRemembered && !(isListed && finder.index.item(known3.ratingKey) === null)) {
    const done2 = await atItem(known3.ratingKey, "remembered", aim, ports, conclude);
    if (done2) return done2.result;
  }
  const listed3 = isListed ? await finder.find(files, signal, true) : [];
  const [only] = listed3;
  if (only && listed3.length === 1) {
    const done2 = await atItem(only.ratingKey, howOf(only), aim, ports, conclude);
    if (done2) return done2.result;
    finder.index.forget(only.ratingKey);
  }
  const isOlder = (job2.rev ?? 1) === 1 && finder.index.knows(job2.queuedAt ?? ports.clock.now());
  const isMissing2 = listed3.length === 0 && isListed && isOlder;
  const candidates = isMissing2 ? [] : await finder.find(files, signal, false);
  const [candidate2] = candidates;
  if (candidates.length > 1) {
    return await conclude({ kind: "ambiguous", aim, message: severalItems(scene, candidates) });
  }
  const done = candidate2 && await atItem(candidate2.ratingKey, howOf(candidate2), aim, ports, conclude);
  if (done) return done.result;
  const message = notInPlex(scene, files, finder.rules, finder.folders());
  return await conclude({ kind: "not-in-plex", aim, message });
}
function aimFor(scene, cover, known3, { finder, settings }) {
  const files = scene.files.map((path) => finder.mapped(path));
  return {
    scene,
    files,
    file: shortHash(files.map(pathKey).sort()),
    wanted: wantedState(scene, settings),
    former: formerLists(settings),
    kinds: pictureKinds(settings),
    cover,
    known: known3
  };
}
var howOf = ({ byName }) => byName ? "name" : "file";
function saysAllIsWell(known3, { wanted, former, kinds: kinds3, cover, file }, { plexKeepsOwn }) {
  if (known3.stale || known3.file !== file || cover.problem !== null) return false;
  if (known3.keptOwn && !plexKeepsOwn) return false;
  return isSettled(wanted, former, known3) && picturesSettled(kinds3, cover, known3.pictures);
}
function seenInListing(known3, { files }, ports) {
  const listed3 = listedAs(known3, files, ports);
  return listed3 && isAsWeLeftIt(known3, listed3.updatedAt) ? listed3.updatedAt : null;
}
function listedAs({ ratingKey, byName }, files, { finder: { index }, settings }) {
  const byPath = files.flatMap((file) => index.find(file));
  const there = byPath.find((one) => one.ratingKey === ratingKey);
  if (there || byPath.length > 0 || !byName || !settings.plexMatchByName) return there ?? null;
  const named4 = files.flatMap((file) => index.findByName(file));
  return named4.every((one) => one.ratingKey === ratingKey) ? named4[0] ?? null : null;
}
function atItem(ratingKey, how, aim, ports, conclude) {
  return ports.items.run(ratingKey, async () => {
    const { finder, plex, settings, ledger, signal } = ports;
    const item = await plex.item(ratingKey, signal);
    if (item === null) {
      finder.index.forget(ratingKey);
      return null;
    }
    const isByPath = finder.matches(item, aim.files);
    if (!isByPath && !(how === "name" && finder.matchesName(item, aim.files))) return null;
    const rival = await rivalFor(item, aim.scene, ports);
    const isTheirs = rival && (rival.isByPath === isByPath ? rival.scene < aim.scene.id : rival.isByPath);
    if (rival && isTheirs) {
      const message = sameItem(aim.scene.id, rival.scene, item, rival.isByPath && !isByPath);
      return { result: await conclude({ kind: "ambiguous", aim, message }) };
    }
    const entry3 = ledger.get(ledger.sceneAt(item.ratingKey) ?? aim.scene.id);
    const ours = entry3?.ratingKey === item.ratingKey ? entry3 : null;
    const { plexKeepsOwn: keepsOwn } = settings;
    const options = { keepsOwn, former: aim.former };
    const pictures = await pictureSteps(
      {
        kinds: aim.kinds,
        cover: aim.cover,
        item,
        known: ours?.pictures,
        trusted: ours !== null && !ours.stale,
        isAsLeft: ours !== null && isAsWeLeftIt(ours, item.updatedAt),
        keepsOwn
      },
      plex,
      signal
    );
    const edit = difference(aim.wanted, item, ours, options);
    const keepsField = edit ? edit.kept.length > 0 : compare2(aim.wanted, item, ours, options).some(({ verdict }) => verdict === "kept");
    const found = {
      kind: "found",
      aim,
      item,
      how,
      ours,
      edit,
      steps: pictures.steps,
      shownPictures: pictures.shown,
      keptPictures: pictures.kept,
      keepsOwn: keepsOwn && (keepsField || pictures.kept.length > 0),
      instead: rival?.scene ?? null
    };
    return { result: await conclude(found) };
  });
}
async function rivalFor(item, scene, { ledger, stash, finder, settings, signal }) {
  const owner = ledger.sceneAt(item.ratingKey);
  if (owner === void 0 || owner === scene.id) return null;
  const isByName = ledger.get(owner)?.byName === true && settings.plexMatchByName;
  const other = await stash.scene(owner, signal);
  if (other === null || whyFiltered(other, settings)) return null;
  const files = other.files.map((path) => finder.mapped(path));
  if (finder.matches(item, files)) return { scene: owner, isByPath: true };
  return isByName && finder.matchesName(item, files) ? { scene: owner, isByPath: false } : null;
}

// src/sync/whether-different.ts
var differences = {
  new: "never synced",
  stash: "changed in Stash",
  cover: "perhaps with a new cover",
  plex: "changed in Plex",
  lost: "not where they were in Plex",
  unsure: "interrupted before they were done"
};
function whyDifferent(scene, givenUp, ports) {
  const { ledger, settings } = ports;
  if (whyFiltered(scene, settings)) return null;
  const known3 = ledger.get(scene.id);
  const aim = aimFor(scene, { ...noCover, sha1: known3?.pictures?.sha1 ?? null }, known3, ports);
  const { files, kinds: kinds3 } = aim;
  const isUnsynced = !known3 || known3.stale === true;
  if ((isUnsynced || givenUp !== null) && isHopeless(scene.id, files, givenUp, ports)) return null;
  if (!known3) return "new";
  if (known3.stale) return "unsure";
  if (!saysAllIsWell(known3, aim, settings)) return "stash";
  const there = listedAs(known3, files, ports);
  if (!there) return "lost";
  if (!isAsWeLeftIt(known3, there.updatedAt)) return "plex";
  if (kinds3.length > 0 && known3.pictures?.from !== scene.cover) return "cover";
  if (known3.seen === void 0) ledger.put(scene.id, { ...known3, seen: there.updatedAt });
  return null;
}
function isHopeless(scene, files, givenUp, { finder, ledger, settings }) {
  if (givenUp === "killed-worker") return true;
  const byPath = itemsOf(files, (file) => finder.index.find(file));
  const byName = settings.plexMatchByName ? (file) => finder.index.findByName(file) : () => [];
  const at = byPath.length > 0 ? byPath : itemsOf(files, byName);
  const [ratingKey] = at;
  if (ratingKey === void 0) return true;
  return givenUp !== null && (at.length > 1 || (ledger.sceneAt(ratingKey) ?? scene) < scene);
}
var itemsOf = (files, find) => [
  ...new Set(files.flatMap(find).map(({ ratingKey }) => ratingKey))
];

// src/worker/reconcile.ts
var pageSize = 250;
var patienceMs = 10 * 6e4;
var Reconcile = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  /** Since when a pass, told by its start, waits for a target. */
  #waits = null;
  /**
   * Queues what differs on the next page; 'listing': that needs a listing of Plex's libraries, which got on; null: Plex
   * cannot be listed now, or the pass is not wanted any more.
   */
  async page(sweep2, isCurrent, signal) {
    const { queue, stash, clock } = this.parts;
    if (queue.isPaused) return null;
    const ready = await this.#ready(sweep2, signal);
    if (ready === null || ready === "listing") return ready;
    const { after } = sweep2;
    const ask = { after, updatedSince: null, limit: pageSize };
    const askedAt = clock.now();
    const page = await stash.ask((client) => client.scenes(ask, signal));
    if (!isCurrent()) return null;
    const found = { ...sweep2.found };
    let queued = 0;
    for (const { target, reading } of ready) {
      for (const scene of page.scenes) {
        const why = this.#whyDifferent(target.name, scene, reading);
        const isHeld = why === "new" && !sweep2.asked && !this.#isAllWanted(target.name);
        if (why === null || !isHeld && !this.#queue(target.name, scene.id, why)) continue;
        const as = isHeld ? unsent : why;
        found[as] = (found[as] ?? 0) + 1;
        if (!isHeld) queued++;
      }
      this.#forgetTheGone(target, new Set(page.scenes.map(({ id: id2 }) => id2)), after, page.last, askedAt);
    }
    return { looked: page.scenes.length, queued, total: page.total, last: page.last, found };
  }
  async #ready({ startedAt }, signal) {
    const { targets, stash, clock } = this.parts;
    const used = targets.all().filter(({ target }) => target.missing === null);
    const ready = [];
    for (const { target } of used) {
      const reading = target.isAtEase ? target.reading(stash, signal) : null;
      if (reading?.finder.index.isReady()) ready.push({ target, reading });
      else if (reading?.finder.index.isUsable() && await this.#list(target, reading, signal))
        return "listing";
    }
    const now = clock.now();
    if (ready.length === used.length) this.#waits = null;
    else if (this.#waits?.startedAt !== startedAt) this.#waits = { startedAt, since: now };
    const isPatient = this.#waits !== null && Math.abs(now - this.#waits.since) < patienceMs;
    return ready.length === 0 || isPatient ? null : ready;
  }
  async #list(target, { finder }, signal) {
    try {
      await finder.advance(signal);
      return true;
    } catch (error) {
      if (!(error instanceof PlexError)) throw error;
      this.parts.log.debug(
        `Reconcile waits: the libraries of ${target.name} could not be listed. ${error.message}`
      );
      if (isItemsFault(error)) finder.index.failed();
      else target.doubt();
      return false;
    }
  }
  #whyDifferent(target, scene, reading) {
    const givenUp = this.parts.deadLetters.get(`${target}/${scene.id}`)?.kind ?? null;
    return whyDifferent(scene, givenUp, reading);
  }
  /** Nothing that was never synced is sent in bulk before a person asked for that once. */
  #isAllWanted(target) {
    return this.parts.queue.memo(`synced-all/${target}`) !== void 0;
  }
  /** False: it waits already, and would only lose count of its tries. */
  #queue(target, scene, why) {
    const { queue } = this.parts;
    const asked = why === "plex" || why === "lost";
    const job2 = queue.job(target, scene);
    if (job2 && (job2.attempts > 0 || job2.asked || !asked)) return false;
    queue.add(target, scene, { bulk: true, asked });
    return true;
  }
  /**
   * Those between the last page and the end of this one that Stash did not name. One that was synced since Stash was
   * asked may be newer than the answer.
   */
  #forgetTheGone({ name, ledger }, there, after, last, askedAt) {
    const { deadLetters, onLettersChanged } = this.parts;
    const end = last ?? Number.POSITIVE_INFINITY;
    const isGone = (scene, at) => scene > after && scene <= end && !there.has(scene) && at < askedAt;
    const scenes = [];
    for (const scene of ledger.scenes()) {
      if (scene > after && scene <= end && isGone(scene, ledger.get(scene)?.at ?? 0)) scenes.push(scene);
    }
    for (const scene of scenes) ledger.remove(scene);
    const letters = [...deadLetters.entries()].filter(
      ([, { target, scene, at }]) => target === name && isGone(scene, at)
    );
    for (const [key2] of letters) deadLetters.delete(key2);
    if (letters.length > 0) onLettersChanged(name);
  }
};
var unsent = "unsent";
function reconciledInWords({
  looked,
  queued,
  found
}) {
  const parts = Object.entries(differences).filter(([difference2]) => (found[difference2] ?? 0) > 0).map(([difference2, words2]) => `${found[difference2]} ${words2}`);
  const why = parts.length > 0 ? ` (${parts.join(", ")})` : "";
  const rest = found[unsent] ?? 0;
  const held = `${counted(rest, "scene was", "scenes were")} never synced: run "Sync all scenes" to send ${rest === 1 ? "it" : "them"}.`;
  const result = queued > 0 ? `${queued} queued${why}` : `and all ${rest > 0 ? "others " : ""}are in step`;
  const compared = `Reconciled: ${counted(looked, "scene was", "scenes were")} compared, ${result}.`;
  return rest > 0 ? `${compared} ${held}` : compared;
}

// src/worker/commands.ts
var keptMs = 10 * 6e4;
var defaultHours = 24;
var goesBySettings = /* @__PURE__ */ new Set(["health", "retry_dead_letters"]);
var Commands = class {
  constructor(parts) {
    this.parts = parts;
    (0, import_node_fs11.mkdirSync)(parts.folder, { recursive: true, mode: privateFolder });
  }
  parts;
  /** Who waits for which sweep. */
  #asked = /* @__PURE__ */ new Map();
  async carryOut(command) {
    this.parts.log.info(`Asked for: ${command.name}.`);
    this.#removeOldAnswers();
    if (goesBySettings.has(command.name)) await this.parts.freshSettings();
    const answer = await this.#act(command);
    this.parts.ring();
    if (answer) await this.#answer(command.id, answer);
    if (command.name !== "clear_queue") return;
    for (const [sweep2, id2] of this.#asked) {
      this.#asked.delete(sweep2);
      await this.#answer(id2, { done: true, message: "The queue was cleared meanwhile.", failed: true });
    }
  }
  /** `note`: why it does not get on. */
  async tellSweep(name, sweep2, done, note = null) {
    const id2 = this.#asked.get(name);
    if (!id2) return;
    if (done) this.#asked.delete(name);
    await this.#answer(id2, {
      done,
      message: [sweepInWords(name, sweep2, done), note ?? []].flat().join(" "),
      progress: done ? 1 : sweep2.total ? Math.min(1, sweep2.looked / sweep2.total) : 0
    });
  }
  #act({ name, id: id2, args }) {
    const { queue, clock, targets, deadLetters, more = {} } = this.parts;
    switch (name) {
      case "process":
        return { done: true, message: "The worker is awake." };
      case "sync_all":
        for (const target of targets.names) queue.setMemo(`synced-all/${target}`, clock.now());
        this.parts.onSyncAll();
        return this.#sweep("all", null, id2);
      case "sync_recent": {
        const hours = hoursFrom(args.hours, defaultHours);
        if (typeof hours === "string") return { done: true, message: hours, failed: true };
        return this.#sweep("recent", clock.now() - hours * 36e5, id2);
      }
      case "reconcile":
        return this.#sweep("reconcile", null, id2);
      case "pause":
        queue.setMemo("paused", queue.memo("paused") ?? clock.now());
        return {
          done: true,
          message: "Paused: edits are recorded, nothing is sent to Plex until you resume."
        };
      case "resume":
        queue.setMemo("paused", null);
        return { done: true, message: "Going on." };
      case "health":
        void this.#runBeside(name, id2, (_, answer) => this.#checkHealth(answer), args);
        return null;
      case "reset_breaker":
        return { done: true, message: this.#tryNow() };
      case "clear_queue": {
        const cleared = counted(queue.clear(), "waiting job was", "waiting jobs were");
        return { done: true, message: `${cleared} forgotten. What is on its way to Plex now still arrives.` };
      }
      case "dead_letters":
        return { done: true, message: lettersInWords(deadLetters, clock.now()) };
      case "retry_dead_letters":
        return this.#withLetters(args, (chosen) => this.#retryLetters(chosen));
      case "discard_dead_letters":
        return this.#withLetters(args, (chosen) => this.#discardLetters(chosen));
      default: {
        const handler = Object.hasOwn(more, name) ? more[name] : void 0;
        if (!handler)
          return { done: true, message: `The command "${name}" is unknown to this worker.`, failed: true };
        void this.#runBeside(name, id2, handler, args);
        return null;
      }
    }
  }
  /** Takes as long as it takes, so the inbox does not wait for it. */
  async #runBeside(name, id2, handler, args) {
    const { ending, log, ring } = this.parts;
    try {
      await handler(args, (answer) => this.#answer(id2, answer));
      ring();
    } catch (error) {
      if (ending.aborted) return;
      log.error(`"${name}" could not be finished. ${stackOf(error)}`);
      const message = `"${name}" could not be finished: ${describeFileError(error)}. worker.log may say more.`;
      await this.#answer(id2, { done: true, message, failed: true });
    }
  }
  async #checkHealth(answer) {
    const { targets, ending } = this.parts;
    await answer({ done: false, message: "Asking Plex …" });
    const found = await Promise.all(targets.all().map(({ target }) => target.health(ending)));
    await answer({ done: true, message: found.flat().join("\n") });
  }
  async #withLetters(args, act) {
    const choice = choiceOf(args);
    if (typeof choice === "string") return { done: true, message: choice, failed: true };
    const chosen = chosenLetters(this.parts.deadLetters, choice);
    if (chosen.length > 0) return { done: true, message: await act(chosen) };
    return { done: true, message: nothingMeant(choice), ...!("all" in choice) && { failed: true } };
  }
  /** The jobs are on disk before the letters go: a letter beside its job does no harm, a scene without both is lost. */
  async #retryLetters(chosen) {
    const { queue, flush } = this.parts;
    const bulk = chosen.length > 1;
    for (const [, { target, scene }] of chosen) queue.add(target, scene, { bulk, asked: true });
    await flush();
    this.#removeLetters(chosen);
    return `${counted(chosen.length, "scene is", "scenes are")} queued again.`;
  }
  #discardLetters(chosen) {
    this.#removeLetters(chosen);
    const scenes = counted(chosen.length, "dead letter was", "dead letters were");
    return `${scenes} discarded. An edit in Stash, "Sync all scenes", or "Reconcile" once Plex lists it, tries such a scene again.`;
  }
  #removeLetters(chosen) {
    const { deadLetters, onLettersChanged } = this.parts;
    for (const [key2, letter] of chosen) {
      if (deadLetters.get(key2) === letter) deadLetters.delete(key2);
    }
    for (const target of new Set(chosen.map(([, letter]) => letter.target))) onLettersChanged(target);
  }
  #tryNow() {
    const tried = this.parts.targets.all().filter(({ target }) => target.tryNow());
    if (tried.length === 0) return "There is nothing to hurry: Plex is not being waited for.";
    const names3 = tried.map(({ target }) => target.name).join(", ");
    return `The next try is now (${names3}). If Plex is well, one scene goes first, and then the others, slowly at the start.`;
  }
  #sweep(name, since, id2) {
    this.parts.queue.beginSweep(name, since, true);
    const before = this.#asked.get(name);
    if (before) void this.#answer(before, { done: true, message: "It was begun anew by somebody else." });
    this.#asked.set(name, id2);
    return null;
  }
  async #answer(id2, answer) {
    try {
      await writeJson((0, import_node_path9.join)(this.parts.folder, `${id2}.json`), { ...answer, message: redact(answer.message) });
    } catch (error) {
      if (codeOf(error) === "ENOENT") return;
      this.parts.log.warn(`The answer to a task could not be written: ${describeFileError(error)}.`);
    }
  }
  #removeOldAnswers() {
    try {
      for (const name of (0, import_node_fs11.readdirSync)(this.parts.folder)) {
        const path = (0, import_node_path9.join)(this.parts.folder, name);
        if (Math.abs(this.parts.clock.now() - (0, import_node_fs11.statSync)(path).mtimeMs) > keptMs) (0, import_node_fs11.rmSync)(path, { force: true });
      }
    } catch {
    }
  }
};
function sweepInWords(name, sweep2, done) {
  const { looked, queued, total } = sweep2;
  const of = total ? ` of ${total}` : "";
  if (name === "reconcile") {
    return done ? reconciledInWords(sweep2) : `${looked}${of} scenes are compared so far, ${queued} queued.`;
  }
  return done ? `${counted(queued, "scene is", "scenes are")} queued.` : `${queued}${of} scenes are queued so far.`;
}

// src/worker/fan-out-scope.ts
var shown = {
  Performer: ["name"],
  Studio: ["name", "parent_id"],
  Tag: ["name"],
  Group: ["name"]
};
var relationOf = {
  Performer: "performers",
  Studio: "studio",
  Tag: "tags",
  Group: "groups"
};
var concernsPlex = (object2, fields3) => fields3 === null || fields3.some((field2) => shown[object2].includes(field2));

// src/worker/fan-outs.ts
var pageSize2 = 1e3;
var lookAgainMs = 6e4;
var FanOuts = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  /** What Stash failed to answer, so that one that it can never answer holds up no other. */
  #failed = /* @__PURE__ */ new Set();
  async run(signal) {
    const { queue, stash, bell, clock } = this.parts;
    while (!signal.aborted) {
      const waiting = queue.waitingFanOuts();
      const gone = waiting.filter(({ action }) => action === "Destroy");
      if (gone.length > 0) {
        await this.#lookInLedgers(gone);
        continue;
      }
      const next2 = this.#choose(waiting);
      const waitMs = next2 ? stash.retryAt - clock.now() : lookAgainMs;
      if (next2 && waitMs <= 0) await this.#askStash(next2, signal);
      else await bell.wait(waitMs, clock, signal);
    }
  }
  /** The oldest; those that Stash failed to answer come when all others have had their turn. */
  #choose(waiting) {
    const next2 = waiting.find((fanOut2) => !this.#failed.has(fanOut2));
    if (next2) return next2;
    this.#failed.clear();
    return waiting[0];
  }
  async #lookInLedgers(gone) {
    const { queue, targets, log } = this.parts;
    const wanted = /* @__PURE__ */ new Map();
    for (const { object: object2, id: id2 } of gone) {
      const kind = relationOf[object2];
      wanted.set(kind, (wanted.get(kind) ?? /* @__PURE__ */ new Set()).add(String(id2)));
    }
    const found = /* @__PURE__ */ new Set();
    for (const { target } of targets.all()) {
      const scenes = new Set(queue.flying(target.name));
      for (const [kind, ids] of wanted)
        for (const scene of target.ledger.scenesWith(kind, ids)) scenes.add(scene);
      for (const scene of scenes) {
        queue.add(target.name, scene, { bulk: true, asked: false });
        found.add(scene);
      }
    }
    for (const fanOut2 of gone) queue.moveFanOut(fanOut2, null);
    log.info(
      `Queued ${counted(found.size, "scene", "scenes")} because of what is gone from Stash (${named2(gone)}).`
    );
    await this.#queued();
  }
  async #askStash(fanOut2, signal) {
    const { queue, targets, stash, log } = this.parts;
    const { object: object2, id: id2, after } = fanOut2;
    const of = { object: object2, id: id2, withChildren: object2 === "Studio" };
    const page = await stash.relatedSceneIds(of, after, pageSize2, signal).catch((error) => {
      if (!signal.aborted && !(error instanceof StashTrouble)) throw error;
      this.#failed.add(fanOut2);
      return null;
    });
    if (page === null || !queue.isCurrent(fanOut2)) return;
    for (const scene of page.ids) {
      for (const target of targets.names) queue.add(target, scene, { bulk: true, asked: false });
    }
    queue.moveFanOut(fanOut2, page.last);
    log.info(`Queued ${counted(page.ids.length, "scene", "scenes")} of ${named2([fanOut2])}, which changed.`);
    await this.#queued();
  }
  async #queued() {
    await this.parts.flush();
    this.parts.onQueued();
  }
};
function named2(fanOuts) {
  const [first] = fanOuts;
  if (first && fanOuts.length === 1) return `${first.object.toLowerCase()} ${first.id}`;
  return `${fanOuts.length} performers, studios, tags or groups`;
}

// src/worker/lease.ts
var import_node_fs12 = __toESM(require("node:fs"));
var import_proper_lockfile = __toESM(require_proper_lockfile());
var LeaseLost = class extends Error {
  constructor() {
    super("Another worker has taken over.");
  }
};
var neverStaleMs = 24 * 36e5;
function mayCommit(leasePath, token2) {
  const record2 = readRecord(leasePath);
  if (record2 && record2.token !== token2) throw new LeaseLost();
}
function readRecord(path) {
  try {
    const record2 = JSON.parse((0, import_node_fs12.readFileSync)(path, "utf8"));
    if (record2?.version !== 1 || typeof record2.token !== "string" || typeof record2.host !== "string")
      return null;
    if (!Number.isSafeInteger(record2.epoch) || !Number.isSafeInteger(record2.pid)) return null;
    return record2;
  } catch {
    return null;
  }
}

// src/worker/notices.ts
var import_node_fs13 = require("node:fs");
var Notices = class {
  constructor(path, log) {
    this.path = path;
    this.log = log;
    this.#written = textOf2(path);
  }
  path;
  log;
  #current = /* @__PURE__ */ new Map();
  #written;
  get sentences() {
    return [...this.#current.values()];
  }
  /** `null`: nothing (any more). Said in the log whenever it changes. */
  say(topic, sentence2) {
    const old = this.#current.get(topic) ?? null;
    if (old === sentence2) return;
    if (sentence2 === null) this.#current.delete(topic);
    else {
      this.#current.set(topic, sentence2);
      if (!this.#written.includes(lineOf(sentence2))) this.log.warn(sentence2);
    }
  }
  /** `prefix`: how the sentences about this target begin, where there is more than one. */
  about(target, prefix) {
    return {
      say: (topic, sentence2) => this.say(`${topic}/${target}`, sentence2 && `${prefix}${sentence2}`)
    };
  }
  /** Nothing is to be said about a target that is not in use any more. */
  forget(target) {
    for (const topic of [...this.#current.keys()])
      if (topic.endsWith(`/${target}`)) this.#current.delete(topic);
  }
  async save() {
    const text2 = this.sentences.map(lineOf).join("");
    if (text2 === this.#written) return;
    try {
      if (text2 === "") (0, import_node_fs13.rmSync)(this.path, { force: true });
      else await writeFileWhole(this.path, text2);
      this.#written = text2;
    } catch (error) {
      this.log.debug(`The notice could not be written: ${describeFileError(error)}.`);
    }
  }
};
function textOf2(path) {
  try {
    return (0, import_node_fs13.readFileSync)(path, "utf8");
  } catch {
    return "";
  }
}
var lineOf = (sentence2) => `${redact(sentence2).replace(/\s+/g, " ")}
`;

// src/shared/deadline.ts
async function withDeadline(ms, clock, outer, work) {
  outer?.throwIfAborted();
  const inner = new AbortController();
  const done = new AbortController();
  const abort = () => inner.abort(outer?.reason);
  outer?.addEventListener("abort", abort, { once: true });
  void clock.sleep(ms, done.signal).then(() => {
    if (done.signal.aborted) return;
    inner.abort(new DOMException(`no answer within ${Math.round(ms / 1e3)} s`, "TimeoutError"));
  });
  try {
    return await work(inner.signal);
  } finally {
    outer?.removeEventListener("abort", abort);
    done.abort();
  }
}

// src/worker/notifier.ts
var answerWithinMs = 1e4;
var pausesMs = [5e3, 3e4];
var mostTexts = 20;
var longestContent = 2e3;
var Notifier = class {
  constructor(clock, log) {
    this.clock = clock;
    this.log = log;
  }
  clock;
  log;
  #closing = new AbortController();
  #fetch = makeFetch({ trustAnyCertificate: false });
  #url = null;
  #texts = [];
  #isSending = false;
  #hasWarned = false;
  /** Null: nobody is told anything. */
  configure(url) {
    if (url === this.#url) return;
    registerSecret(url);
    this.#url = url;
    this.#hasWarned = false;
    if (url === null) this.#texts = [];
  }
  tell(text2) {
    if (this.#url === null || this.#closing.signal.aborted) return;
    this.#texts = [...this.#texts, redact(text2)].slice(-mostTexts);
    if (!this.#isSending) void this.#sendAll();
  }
  /** What was not delivered is given up. */
  close() {
    this.#texts = [];
    this.#closing.abort();
  }
  async #sendAll() {
    this.#isSending = true;
    for (let text2 = this.#texts.shift(); text2 !== void 0; text2 = this.#texts.shift())
      await this.#send(text2);
    this.#isSending = false;
  }
  async #send(text2) {
    const { signal } = this.#closing;
    for (const pauseMs of [...pausesMs, null]) {
      if (this.#url === null || signal.aborted) return;
      const url = this.#url;
      const delivery = await this.#post(url, text2);
      if (delivery === "delivered") {
        this.#hasWarned = false;
        return;
      }
      if (delivery.tryAgain && pauseMs !== null) {
        await this.clock.sleep(pauseMs, signal);
        continue;
      }
      if (!signal.aborted && !this.#hasWarned && url === this.#url) {
        this.#hasWarned = true;
        this.log.warn(
          `A notification could not be delivered${hostOf(url)}: ${delivery.failure}. Check "Notification address" in the settings.`
        );
      }
      return;
    }
  }
  async #post(url, text2) {
    if (!URL.canParse(url)) return { failure: "it is no address", tryAgain: false };
    try {
      const status = await withDeadline(answerWithinMs, this.clock, this.#closing.signal, async (signal) => {
        const answer = await this.#fetch(...request3(new URL(url), text2, signal));
        await answer.body?.cancel();
        return answer.status;
      });
      if (status >= 200 && status < 300) return "delivered";
      return { failure: `HTTP ${status}`, tryAgain: status >= 500 || status === 429 };
    } catch (error) {
      return { failure: describeNetworkError(error), tryAgain: true };
    }
  }
};
function request3(url, text2, signal) {
  const headers = new Headers({ "content-type": "application/json" });
  const { username, password } = url;
  if (username + password !== "") {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
    url.username = "";
    url.password = "";
  }
  const body = JSON.stringify({ text: text2, content: text2.slice(0, longestContent).toWellFormed() });
  return [url, { method: "POST", headers, body, signal, redirect: "manual" }];
}
var hostOf = (url) => URL.canParse(url) ? ` to ${new URL(url).host}` : "";

// src/persist/json-document.ts
var import_node_fs14 = require("node:fs");
function loadDocument(format, now, log) {
  let broken = false;
  for (const path of [format.path, `${format.path}.prev`]) {
    let text2;
    try {
      text2 = (0, import_node_fs14.readFileSync)(path, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") continue;
      setAside(path, messageOf(error), format.ifLost, now, log);
      broken = true;
      continue;
    }
    try {
      return { value: parseDocument(format, text2, path), broken };
    } catch (error) {
      if (error instanceof NewerState) throw error;
      setAside(path, messageOf(error), format.ifLost, now, log);
      broken = true;
    }
  }
  return { value: null, broken };
}
function parseDocument(format, text2, path = format.path) {
  const value = JSON.parse(text2);
  if (typeof value !== "object" || value === null || !("version" in value)) throw new Error("no version");
  if (typeof value.version === "number" && value.version > format.version) throw new NewerState(path);
  if (value.version !== format.version) throw new Error(`unknown version ${String(value.version)}`);
  return format.parse(value);
}
async function saveDocument(format, value) {
  if ((0, import_node_fs14.existsSync)(format.path)) (0, import_node_fs14.copyFileSync)(format.path, `${format.path}.prev`);
  await writeJson(format.path, { version: format.version, ...value });
}

// src/resilience/outage-document.ts
var time = pipe(
  string(),
  isoTimestamp(),
  check((text2) => !Number.isNaN(Date.parse(text2)), "no such time")
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
  parse: (value) => parse2(outageDocument, value),
  ifLost: "The list of past outages begins anew."
};
var written2 = (at) => at === null ? null : iso(at);
var read = (text2) => text2 === null ? null : Date.parse(text2);
function documentOf({ watchedSince, outages }) {
  return {
    watchedSince: Object.fromEntries(Object.entries(watchedSince).map(([name, at]) => [name, iso(at)])),
    outages: outages.map((outage) => ({
      target: outage.target,
      start: iso(outage.start),
      end: written2(outage.end),
      cause: outage.cause,
      jobsWaiting: outage.jobsWaiting,
      waitingSince: written2(outage.waitingSince),
      longestWaitSeconds: Math.round(outage.longestWaitMs / 1e3)
    }))
  };
}
function historyOf({ watchedSince, outages }) {
  return {
    watchedSince: Object.fromEntries(
      Object.entries(watchedSince).map(([name, text2]) => [name, Date.parse(text2)])
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
var mostOutages = 500;
var noHistory = { watchedSince: {}, outages: [] };
function observe(history, target, seen, now) {
  const since = seen.outage?.since ?? null;
  const outages = history.outages.map((outage) => {
    if (outage.target !== target) return outage;
    if (outage.start === since) return lasting(outage, seen.waiting, now);
    return outage.end === null ? closed(outage, endOf(outage, seen, now)) : outage;
  });
  if (seen.outage && !outages.some((outage) => outage.target === target && outage.start === since)) {
    outages.push(lasting(opened(target, seen.outage), seen.waiting, now));
  }
  const isWatched = Object.hasOwn(history.watchedSince, target);
  const isSame = outages.length === history.outages.length && outages.every((one, i) => one === history.outages[i]);
  if (isWatched && isSame) return history;
  const watchedSince = isWatched ? history.watchedSince : { ...history.watchedSince, [target]: Math.min(now, since ?? now) };
  return bounded({ watchedSince, outages });
}
var opened = (target, { since, cause }) => ({
  target,
  start: since,
  end: null,
  cause,
  jobsWaiting: 0,
  waitingSince: null,
  longestWaitMs: 0
});
function lasting(outage, waiting, now) {
  const waitingSince = waiting === 0 ? null : outage.waitingSince ?? now;
  const jobsWaiting = Math.max(outage.jobsWaiting, waiting);
  const longestWaitMs2 = longestWait(outage, waitingSince, now);
  const isSame = outage.end === null && outage.waitingSince === waitingSince && outage.jobsWaiting === jobsWaiting && outage.longestWaitMs === longestWaitMs2;
  return isSame ? outage : { ...outage, end: null, waitingSince, jobsWaiting, longestWaitMs: longestWaitMs2 };
}
var closed = (outage, end) => ({
  ...outage,
  end,
  waitingSince: null,
  longestWaitMs: Math.min(longestWait(outage, outage.waitingSince, end), end - outage.start)
});
var longestWait = (outage, since, until) => Math.max(outage.longestWaitMs, since === null ? 0 : until - since);
function endOf({ start }, { outage, closedAt }, now) {
  const end = closedAt !== null && closedAt >= start ? closedAt : outage?.since ?? now;
  return Math.max(start, end);
}
function bounded({ watchedSince, outages }) {
  let surplus = outages.length - mostOutages;
  if (surplus <= 0) return { watchedSince, outages };
  const since = { ...watchedSince };
  const kept = outages.filter(({ target, end }) => {
    if (surplus <= 0 || end === null) return true;
    surplus--;
    since[target] = Math.max(since[target] ?? end, end);
    return false;
  });
  return { watchedSince: since, outages: kept };
}

// src/worker/outage-book.ts
var numbersEveryMs = 6e4;
var OutageBook = class {
  constructor(path, clock, log) {
    this.clock = clock;
    this.log = log;
    this.#format = { ...outageFormat, path };
    const { value } = loadDocument(this.#format, clock.now(), log);
    this.#history = value === null ? noHistory : historyOf(value);
    this.#written = this.#history;
  }
  clock;
  log;
  #format;
  #history;
  #written;
  #writtenAt = 0;
  #saving = Promise.resolve();
  #hasFailed = false;
  get history() {
    return this.#history;
  }
  /** How a target stands: at the start, at every tick, and after every change of its gate. */
  observe(target, seen) {
    const { outage } = seen;
    const clean2 = outage && { ...outage, cause: redact(outage.cause) };
    this.#history = observe(this.#history, target, { ...seen, outage: clean2 }, this.clock.now());
  }
  /** Never rejects. One at a time, in the order of the calls. */
  save() {
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }
  async #save() {
    const history = this.#history;
    const now = this.clock.now();
    if (history === this.#written) return;
    const isNews = outline(history) !== outline(this.#written);
    if (!isNews && Math.abs(now - this.#writtenAt) < numbersEveryMs) return;
    try {
      await saveDocument(this.#format, documentOf(history));
      this.#written = history;
      this.#writtenAt = now;
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) {
        this.log.warn(`The list of outages could not be written: ${describeFileError(error)}. Trying again.`);
      }
      this.#hasFailed = true;
    }
  }
};
var outline = ({ watchedSince, outages }) => JSON.stringify([
  watchedSince,
  outages.map(({ target, start, end, waitingSince }) => [target, start, end, waitingSince])
]);

// src/worker/dry-run.ts
var examples = 5;
var Histogram = class {
  #found = /* @__PURE__ */ new Map();
  add(reason, scene) {
    const found = this.#found.get(reason) ?? { count: 0, scenes: [] };
    found.count++;
    if (found.scenes.length < examples) found.scenes.push(scene);
    this.#found.set(reason, found);
  }
  lines() {
    const longest = Math.max(0, ...[...this.#found.values()].map(({ count: count4 }) => String(count4).length));
    return [...this.#found].sort(([, a], [, b]) => b.count - a.count).map(([reason, { count: count4, scenes }]) => {
      const more = count4 > scenes.length ? ", …" : "";
      return `${String(count4).padStart(longest)}  ${reason} (scene ${scenes.join(", ")}${more})`;
    });
  }
};
var DryRun = class {
  #reasons = new Histogram();
  #fields = /* @__PURE__ */ new Map();
  #looked = 0;
  get looked() {
    return this.#looked;
  }
  /** False: Plex's libraries have to be listed first. */
  async look(scene, ports) {
    const stash = {
      scene: async (id2, signal) => id2 === scene.id ? scene : await ports.stash.scene(id2, signal),
      cover: (path, signal) => ports.stash.cover(path, signal)
    };
    const job2 = { scene: scene.id, asked: true, listFirst: true, queuedAt: 0 };
    const plan = await planScene(job2, { ...ports, stash }, async (one) => one);
    if (plan.kind === "listing") return false;
    this.#looked++;
    this.#reasons.add(reasonOf(plan), scene.id);
    if (plan.kind !== "found") return true;
    const pictures = plan.steps.map(({ kind }) => kind === "poster" ? "poster" : "background");
    for (const field2 of [...plan.edit?.fields ?? [], ...pictures])
      this.#fields.set(field2, (this.#fields.get(field2) ?? 0) + 1);
    return true;
  }
  lines() {
    const fields3 = [...this.#fields].sort(([, a], [, b]) => b - a).map(([field2, count4]) => `${field2} ${count4}`);
    return [
      `Dry run: ${counted(this.#looked, "scene was", "scenes were")} looked at, nothing was written.`,
      ...this.#reasons.lines(),
      ...fields3.length > 0 ? [`Fields that would be written: ${fields3.join(", ")}.`] : [],
      ...this.#looked > 0 ? ['For one scene in detail, ask for "explain" with its number.'] : []
    ];
  }
};
function reasonOf(plan) {
  switch (plan.kind) {
    case "filtered":
      return plan.rule === "no-file" ? "left out: it has no file" : `left out by "${labelOf(plan.rule)}"`;
    case "found":
      return plan.edit || plan.steps.length > 0 ? "would be written" : "in step";
    case "settled":
      return "in step";
    case "not-in-plex":
      return "not in Plex";
    case "ambiguous":
      return "several items, or several scenes of one item: none would be touched";
    case "gone":
      return "gone from Stash";
  }
}
var labelOf = (rule) => Object.entries(syncRows).find(([key2]) => key2 === rule)?.[1].label ?? rule;

// src/worker/explain.ts
var longestShown2 = 120;
var longestSent = 1e3;
function explainPlan(scene, plan, settings) {
  switch (plan.kind) {
    case "gone":
      return [`Scene ${scene} is not in Stash. Nothing would be done in Plex.`];
    case "filtered":
      return [plan.message];
    case "ambiguous":
      return [plan.message];
    case "not-in-plex":
      return [plan.message, whenMissing(settings)];
    case "listing":
      return [`Scene ${scene}: Plex's libraries have to be listed first.`];
    case "settled":
      return [`Scene ${scene} is in step: nothing would be sent.`];
    case "found":
      return explainFound(scene, plan, settings);
  }
}
function whenMissing({ plexMissing, plexScan }) {
  const scan = plexScan ? "Plex would be asked to scan its folder, and the scene" : "It";
  return plexMissing === "drop" ? `${scan} would be dropped, because "Scenes that Plex does not have" says so.` : `${scan} would be tried again for a while, and then become a dead letter.`;
}
var hows = {
  remembered: "the item of the last sync, and its file is still the scene's",
  file: "found by its file",
  name: "found by the name of its file alone"
};
function explainFound(scene, found, settings) {
  const { item, how, aim, ours, instead } = found;
  const options = { keepsOwn: settings.plexKeepsOwn, former: aim.former };
  return [
    `Scene ${scene} is item ${item.ratingKey} "${item.title}" in "${item.library}" (${hows[how]}): ${item.files.join(", ")}`,
    ...instead === null ? [] : [`  It would stand for scene ${instead}, which is the same item.`],
    ...compare2(aim.wanted, item, ours, options).map(fieldInWords),
    ...aim.kinds.map((kind) => pictureInWords(kind, found)),
    ...aim.cover.problem === null ? [] : [`  ${aim.cover.problem}`],
    sentInWords(found)
  ].map(onOneLine);
}
function fieldInWords({ called, shown: shown3, wanted, verdict }) {
  if (verdict === "same") return `  ${called}: ${told(shown3)}`;
  const both = `${told(shown3)} in Plex, ${told(wanted)} wanted`;
  if (verdict === "write") return `  ${called}: ${both}: would be written`;
  return `  ${called}: ${Array.isArray(wanted) ? told(shown3) : both}: Plex's own stays`;
}
function pictureInWords(kind, { aim, steps, keptPictures }) {
  const called = kind === "poster" ? "poster" : "background";
  const step = steps.find((one) => one.kind === kind);
  if (aim.cover.sha1 === null) return `  ${called}: Stash has no cover, so Plex's stays`;
  if (keptPictures.includes(called)) return `  ${called}: Plex's own stays`;
  if (!step) return `  ${called}: the cover of Stash`;
  const what = { upload: "would be uploaded", select: "would be selected again", lock: "would be locked" };
  return `  ${called}: the cover of Stash ${what[step.act]}`;
}
function sentInWords({ edit, steps, item }) {
  if (edit === null && steps.length === 0) return "  Nothing would be sent: all is in step.";
  const puts = edit ? parcelsOf(edit) : [];
  const names3 = puts.flat().map(([name]) => name);
  const count4 = (wanted) => steps.filter(({ act }) => act === wanted).length;
  const isLocked = (kind) => item.locked.includes(kind === "poster" ? "thumb" : "art");
  const locks = puts.length === 0 && steps.some(({ kind }) => !isLocked(kind));
  const parts = [
    ...count4("upload") > 0 ? [counted(count4("upload"), "upload", "uploads")] : [],
    ...count4("select") > 0 ? [counted(count4("select"), "choice of a picture", "choices of pictures")] : [],
    ...puts.length > 0 ? [`${counted(puts.length, "edit", "edits")} (${names3.join(", ")})`] : [],
    ...locks ? ["1 edit that locks the picture"] : []
  ];
  return `  Would be sent: ${cut(parts.join(" and "), longestSent)}.`;
}
var cut = (text2, longest) => text2.length > longest ? `${text2.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "")}…` : text2;
var onOneLine = (text2) => text2.replace(/[\r\n]+/g, " ");
function told(value) {
  if (typeof value === "string") return value === "" ? "nothing" : `"${cut(value, longestShown2)}"`;
  return value.length === 0 ? "none" : cut(value.map((name) => `"${name}"`).join(", "), 4 * longestShown2);
}
function explainQueue(job2, letter, now) {
  const lines = [];
  if (letter) lines.push(`It is a dead letter since ${dayAndTime(letter.at, now)}: ${letter.reason}`);
  if (job2) {
    const tried = job2.attempts === 1 ? ", tried once" : `, tried ${job2.attempts} times`;
    lines.push(
      `It waits in the queue${job2.attempts > 0 ? tried : ""}${job2.reason ? `: ${job2.reason}` : "."}`
    );
  }
  return lines;
}

// src/worker/questions.ts
var pageSize3 = 250;
var tellEveryMs = 500;
var Questions = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  #underWay = 0;
  #dryRun = new AbortController();
  /** Somebody may be waiting for an answer. */
  get isBusy() {
    return this.#underWay > 0;
  }
  async explain(args, tell) {
    const text2 = String(args.scene ?? "").trim();
    if (!/^\d{1,15}$/.test(text2)) {
      const given = text2 === "" ? "is missing" : `is ${JSON.stringify(text2)}`;
      const message = `"scene" ${given}, but must be the number of a scene, like in {"mode": "explain", "scene": 42}.`;
      return await tell({ done: true, message, failed: true });
    }
    const scene = Number(text2);
    const { queue, deadLetters, clock } = this.parts;
    await this.#answer(tell, async (target) => {
      const { name } = target;
      const said = await this.#explainAt(target, scene);
      const waits = explainQueue(queue.job(name, scene), deadLetters.get(`${name}/${scene}`), clock.now());
      return [
        ...said,
        ...waits.map((line) => said.reduce((rest, known3) => rest.replace(`: ${known3}`, "."), line))
      ];
    });
  }
  async #explainAt(target, scene) {
    const reading = target.reading(this.parts.stash, this.parts.ending);
    if (reading === null) return [whyNotNow(target)];
    try {
      const plan = await planScene({ scene, asked: true }, reading, async (one) => one);
      return explainPlan(scene, plan, reading.settings);
    } catch (error) {
      return [sentenceOf(error)];
    }
  }
  async dryRun(args, tell) {
    const hours = hoursFrom(args.hours, null);
    if (typeof hours === "string") return await tell({ done: true, message: hours, failed: true });
    const since = hours === null ? null : new Date(this.parts.clock.now() - hours * 36e5);
    this.#dryRun.abort();
    this.#dryRun = new AbortController();
    const { signal: another } = this.#dryRun;
    await this.#answer(tell, (target) => this.#dryRunAt(target, since, another, tell));
  }
  /** What is to be said of each target, in one answer. */
  async #answer(tell, ask) {
    const { targets, freshSettings } = this.parts;
    this.#underWay++;
    try {
      await freshSettings();
      const lines = [];
      const all = targets.all();
      for (const { target } of all) {
        const said = await ask(target);
        lines.push(...all.length > 1 ? said.map((line) => `${target.name}: ${line}`) : said);
      }
      await tell({ done: true, message: lines.join("\n") });
    } finally {
      this.#underWay--;
    }
  }
  /** `another`: aborts when another dry run was asked for. */
  async #dryRunAt(target, updatedSince, another, tell) {
    const { stash, clock, ending } = this.parts;
    const signal = AbortSignal.any([ending, another]);
    const run = new DryRun();
    let toldAt = Number.NEGATIVE_INFINITY;
    const tellNowAndThen = async (message, progress2) => {
      if (Math.abs(clock.now() - toldAt) < tellEveryMs) return;
      toldAt = clock.now();
      await tell({ done: false, message, progress: progress2 });
    };
    const brokenOff = (why) => [...run.lines(), `It was broken off: ${why}`];
    target.reading(stash, signal)?.finder.index.expire();
    try {
      for await (const { scene, total } of this.#scenes(updatedSince, signal)) {
        for (let isLooked = false; !isLooked; ) {
          signal.throwIfAborted();
          const reading = target.reading(stash, signal);
          if (reading === null) return brokenOff(whyNotNow(target));
          const { index } = reading.finder;
          if (index.isReady()) {
            const { looked } = run;
            await tellNowAndThen(`${looked} of ${total} scenes were looked at.`, Math.min(1, looked / total));
            isLooked = await run.look(scene, reading);
          } else {
            const { pages, of } = index.progress();
            await tellNowAndThen(
              `Plex's libraries are listed: ${pages} of about ${of} pages.`,
              pages / Math.max(1, of)
            );
            await reading.finder.advance(signal);
          }
        }
      }
      return run.lines();
    } catch (error) {
      if (another.aborted && !ending.aborted) return brokenOff("another dry run was asked for.");
      return brokenOff(sentenceOf(error));
    }
  }
  /** By ascending id, one page in memory at a time; with each, how many there were at the beginning. */
  async *#scenes(updatedSince, signal) {
    let total = null;
    for (let after = 0; after !== null; ) {
      const ask = { after, updatedSince, limit: pageSize3 };
      const page = await this.parts.stash.scenes(ask, signal);
      total ??= page.total;
      for (const scene of page.scenes) yield { scene, total };
      after = page.last;
    }
  }
};
function whyNotNow({ missing, outage }) {
  return `Plex cannot be asked now: ${missing ?? outage?.cause ?? "it is about to be tried again."}`;
}
function sentenceOf(error) {
  if (error instanceof PlexError || error instanceof StashTrouble) return error.message;
  throw error;
}

// src/worker/reception.ts
var import_node_fs15 = require("node:fs");
var Reception = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  connection(connection, at) {
    this.parts.stash.learn(connection, at);
  }
  event({ object: object2, action, ids, bulk, fields: fields3, merged }) {
    const { queue, targets, forget } = this.parts;
    if (object2 === "Scene") {
      for (const id2 of ids) {
        if (action === "Destroy") {
          queue.forget(id2);
          forget(id2);
        } else for (const target of targets.names) queue.add(target, id2, { bulk, asked: false });
      }
      return;
    }
    if (action === "Create" || action === "Update" && !concernsPlex(object2, fields3)) return;
    for (const id2 of ids) queue.addFanOut({ object: object2, id: id2, action });
    for (const id2 of merged) queue.addFanOut({ object: object2, id: id2, action: "Destroy" });
  }
  command(command) {
    return this.parts.commands.carryOut(command);
  }
  flush() {
    return this.parts.flush();
  }
  /** A copied plugin folder points to the state folder of the Stash that it was copied from. */
  passOn(connection, text2) {
    const { paths, env, log, wakeOther } = this.parts;
    const other = chooseStateDir(connection, env);
    if (samePlace(other, paths.root)) return false;
    if (!(0, import_node_fs15.existsSync)(statePaths(other).inbox)) {
      throw new BadInput(`it is for the Stash in ${connection.dir}, where Sluice cannot write`);
    }
    try {
      const event = leaveInInbox(statePaths(other).inbox, text2);
      log.info(
        `Passed an event on to ${other}: it is from the Stash there, whose plugin folder was copied from here.`
      );
      wakeOther(other, event, connection);
      return true;
    } catch (error) {
      throw new BadInput(`it is for the Stash in ${connection.dir}, but ${describeFileError(error)}`);
    }
  }
};
function samePlace(a, b) {
  if (a === b) return true;
  try {
    return (0, import_node_fs15.realpathSync)(a) === (0, import_node_fs15.realpathSync)(b);
  } catch {
    return false;
  }
}

// src/worker/reconcile-schedule.ts
var hourMs = 36e5;
var everyMs = {
  never: Number.POSITIVE_INFINITY,
  hourly: hourMs,
  daily: 24 * hourMs,
  weekly: 7 * 24 * hourMs
};
var ReconcileSchedule = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  /** True: a pass was begun. Not while paused, nor while another pass is under way, nor before we are set up. */
  beginWhenDue({ syncReconcile: often }) {
    const { queue, targets, clock } = this.parts;
    const isSetUp = targets.all().some(({ target }) => target.missing === null);
    if (!isSetUp || queue.isPaused || queue.sweeps().length > 0) return false;
    const now = clock.now();
    const last = Number(queue.memo("reconciled"));
    const isKnown = last <= now;
    const isDue = isKnown && now - last >= everyMs[often];
    if (!isKnown || isDue) queue.setMemo("reconciled", now);
    if (isDue) queue.beginSweep("reconcile", null);
    return isDue;
  }
};

// src/worker/servers-file.ts
var import_node_fs16 = require("node:fs");

// src/stash/servers.ts
var serversFileName = "servers.json";
var inFile = `In ${serversFileName},`;
function readServers(text2) {
  for (const [, written3] of text2.matchAll(/"token"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) registerSecret(written3);
  const servers = /* @__PURE__ */ new Map();
  const problems = [];
  for (const [name, value] of Object.entries(parseObject(text2))) {
    const wrong = whyNoName(name);
    if (wrong !== null) {
      problems.push(`${inFile} ${quoted(name)} cannot be the name of a server: ${wrong}. It is left out.`);
      continue;
    }
    const { settings, mistakes, oddities } = readServer(name, value);
    const problem = mistakes.join(" ") || null;
    servers.set(name, { settings, problem });
    problems.push(...problem === null ? [] : [problem], ...oddities);
  }
  return { servers, problems };
}
function parseObject(text2) {
  const plain = text2.replace(/^\ufeff/, "");
  const example = 'It must look like {"attic": {"url": "http://192.168.1.11:32400", "token": "..."}}.';
  let value;
  try {
    value = JSON.parse(plain);
  } catch (error) {
    throw new Error(`${serversFileName} is not valid JSON${placeOf(error, plain)}. ${example}`);
  }
  if (isObject2(value)) return value;
  throw new Error(`${serversFileName} is not a JSON object. ${example}`);
}
function placeOf(error, text2) {
  const position = / position (\d+)/.exec(messageOf(error))?.[1];
  if (position === void 0) return "";
  const lines = text2.slice(0, Number(position)).split("\n");
  return ` (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`;
}
var impossible = /^(con|prn|aux|nul|com\d|lpt\d|__proto__)$/;
function whyNoName(name) {
  if (!/^[a-z0-9_-]{1,40}$/.test(name)) return 'it must be 1 to 40 of the characters a-z, 0-9, "_" and "-"';
  if (name === "plex") return "that is the server of the settings page";
  return name === "archived" || impossible.test(name) ? "that name is reserved" : null;
}
var field = (parse4) => pipe(
  optional(unknown(), null),
  rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return parse4(dataset.value);
    } catch (error) {
      addIssue({ message: messageOf(error) });
      return NEVER;
    }
  })
);
var fields = object({
  url: field((value) => plexAddress(textIn(value, "an address such as http://192.168.1.11:32400"))),
  token: field((value) => token(textIn(value, "the X-Plex-Token of that server's owner"))),
  libraries: field(libraries),
  pathMap: field(pathMap),
  trustAnyCertificate: field(trust)
});
var fieldNames2 = Object.keys(fields.entries).map((name) => `"${name}"`).join(", ");
function readServer(name, value) {
  const butThen = `; until it is corrected, nothing is sent to "${name}".`;
  if (!isObject2(value)) {
    const mistake = `${inFile} "${name}" must be an object with "url" and "token"${butThen}`;
    return { settings: unusable2, mistakes: [mistake], oddities: [] };
  }
  if (typeof value.token === "string") registerSecret(value.token.trim());
  const oddities = Object.keys(value).filter((key2) => !Object.hasOwn(fields.entries, key2)).map((key2) => `${inFile} the field ${quoted(key2)} of "${name}" is ignored; there are ${fieldNames2}.`);
  const { success, output, issues = [] } = safeParse(fields, value);
  const mistakes = issues.map((issue) => {
    const key2 = getDotPath(issue);
    return `${inFile} "${key2}" of "${name}" ${beforeBut(key2, value[key2])}${issue.message}${butThen}`;
  });
  return { settings: success ? settingsOf(output) : unusable2, mistakes, oddities };
}
var settingsOf = (server) => ({
  plexUrl: server.url,
  plexToken: server.token,
  plexLibraries: server.libraries,
  plexPathMap: server.pathMap,
  plexTrustAnyCertificate: server.trustAnyCertificate
});
var unusable2 = {
  plexUrl: null,
  plexToken: null,
  plexLibraries: [],
  plexPathMap: [],
  plexTrustAnyCertificate: false
};
function textIn(value, what) {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw new Error(`must be ${what}`);
}
function libraries(value) {
  if (isMissing(value)) return [];
  if (typeof value === "string") return names(value);
  const wanted = "must be names with commas between them, or a list of names in quotes";
  if (!Array.isArray(value)) throw new Error(wanted);
  const list3 = value.map((name) => typeof name === "string" ? name.trim() : "");
  if (list3.includes("")) throw new Error(wanted);
  return [...new Set(list3)];
}
function pathMap(value) {
  if (isMissing(value)) return [];
  if (typeof value === "string") return parsePathRules(value);
  const wanted = 'must be rules like "/data => /media" with ";" between them, or an object like {"/data": "/media"}';
  if (!isObject2(value)) throw new Error(wanted);
  const pairs = Object.entries(value).map(([from, to]) => {
    if (typeof to === "string") return [from.trim(), to.trim()];
    throw new Error(wanted);
  });
  return pathRules(pairs);
}
function trust(value) {
  if (isMissing(value)) return false;
  if (typeof value === "boolean") return value;
  return yesNo(typeof value === "string" ? value.trim() : "");
}
var isMissing = (value) => value === void 0 || value === null || value === "";
var isObject2 = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function beforeBut(key2, value) {
  if (isMissing(value)) return "is missing, but ";
  if (key2 === "token") return "";
  if (typeof value === "object") return `is ${Array.isArray(value) ? "a list" : "an object"}, but `;
  const text2 = String(value).trim();
  return `is ${quoted(key2 === "url" ? shownAddress(text2) : text2)}, but `;
}
var longestShown3 = 80;
var quoted = (text2) => `"${text2.length > longestShown3 ? `${text2.slice(0, longestShown3)}…` : text2}"`;

// src/worker/servers-file.ts
var none = () => ({ servers: /* @__PURE__ */ new Map(), problems: [] });
var ServersFile = class {
  constructor(path, log) {
    this.path = path;
    this.log = log;
  }
  path;
  log;
  #current = none();
  /** Which file `#current` was made of: its number, size and time. */
  #stamp = null;
  #hasSpokenOfMode = false;
  /** The servers as they are to be used now. Never throws. */
  read() {
    try {
      const { ino, size, mtimeMs, mode } = (0, import_node_fs16.statSync)(this.path);
      this.#makePrivate(mode);
      const stamp = `${ino} ${size} ${mtimeMs}`;
      if (stamp === this.#stamp) return this.#current;
      this.#current = this.#parsed((0, import_node_fs16.readFileSync)(this.path, "utf8"));
      this.#stamp = stamp;
    } catch (error) {
      this.#stamp = null;
      const isGone = codeOf(error) === "ENOENT";
      this.#current = isGone ? none() : this.#asBefore(`${serversFileName} cannot be read (${describeFileError(error)}).`);
    }
    return this.#current;
  }
  #parsed(text2) {
    try {
      return readServers(text2);
    } catch (error) {
      return this.#asBefore(messageOf(error));
    }
  }
  #asBefore(problem) {
    const { servers } = this.#current;
    const meanwhile = servers.size === 0 ? "it counts as empty" : "the servers that it named before stay in use";
    return { servers, problems: [`${problem} Until this is mended, ${meanwhile}.`] };
  }
  /** It holds tokens. Windows has no such modes, and says that everybody may. */
  #makePrivate(mode) {
    if (process.platform === "win32" || (mode & 63) === 0) return;
    try {
      (0, import_node_fs16.chmodSync)(this.path, privateFile);
      this.#sayOnce(
        "info",
        `${serversFileName} holds tokens and could be read by other users; now only its owner can.`
      );
    } catch (error) {
      if (!isFileError(error)) throw error;
      this.#sayOnce(
        "warn",
        `${serversFileName} holds tokens and can be read by other users, which cannot be changed from here (${describeFileError(error)}). Run: chmod 600 '${this.path}'.`
      );
    }
  }
  #sayOnce(level, sentence2) {
    if (this.#hasSpokenOfMode) return;
    this.#hasSpokenOfMode = true;
    this.log[level](sentence2);
  }
};

// src/stash/credentials.ts
var renewEveryMs = 6e4;
var idleCookieMs = 6e5;
var Credentials = class {
  #connection;
  #apiKey = null;
  #keyKnown = false;
  #renewedAt = null;
  #idleRenewalAt = null;
  constructor(connection) {
    this.#connection = connection;
    registerCookie(connection.cookie?.value);
  }
  /** With the newest cookie. */
  get connection() {
    return this.#connection;
  }
  /** Whether Stash has been asked for its API key (it may have none). */
  get keyKnown() {
    return this.#keyKnown;
  }
  use(newer) {
    const same = newer.dir === this.#connection.dir && baseUrl(newer) === baseUrl(this.#connection);
    if (!same) this.forgetKey();
    if (same && newer.cookie === null) return;
    this.#connection = newer;
    this.#renewedAt = null;
    registerCookie(newer.cookie?.value);
  }
  learnKey(apiKey) {
    this.#apiKey = apiKey;
    this.#keyKnown = true;
    registerSecret(apiKey);
  }
  forgetKey() {
    this.#apiKey = null;
    this.#keyKnown = false;
  }
  /** The API key if there is one, else the cookie, else nothing: a Stash without a password lets everybody in. */
  best() {
    const apiKey = this.#apiKey;
    return apiKey === null ? this.session() : { headers: { ApiKey: apiKey }, apiKey, cookie: null };
  }
  session() {
    const { cookie } = this.#connection;
    if (!cookie) return { headers: {}, apiKey: null, cookie: null };
    return { headers: { Cookie: `${cookie.name}=${cookie.value}` }, apiKey: null, cookie: cookie.value };
  }
  /** Takes the renewed cookie out of the `Set-Cookie` lines of an answer that `pass` was let in for. */
  renew(pass, setCookies, now) {
    const { cookie } = this.#connection;
    if (!cookie || pass.cookie !== cookie.value) return;
    for (const line of setCookies) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const value = pair.slice(cookie.name.length + 1);
      if (value === "" || pair !== `${cookie.name}=${value}`) continue;
      if (passed(this.#renewedAt, now) < Math.min(renewEveryMs, lifeMs(attributes) / 4)) return;
      this.#connection = { ...this.#connection, cookie: { name: cookie.name, value } };
      this.#renewedAt = now;
      registerCookie(value);
      return;
    }
  }
  /** True once in a while when only the API key is used, so that the cookie would expire unnoticed. */
  shouldRenewIdleCookie(now) {
    if (this.#apiKey === null || !this.#connection.cookie) return false;
    if (passed(this.#renewedAt, now) < idleCookieMs || passed(this.#idleRenewalAt, now) < idleCookieMs)
      return false;
    this.#idleRenewalAt = now;
    return true;
  }
};
var passed = (since, now) => since === null ? Number.POSITIVE_INFINITY : Math.abs(now - since);
function lifeMs(attributes) {
  const seconds = attributes.map((one) => /^max-age=(\d+)$/i.exec(one)?.[1]).find((found) => found !== void 0);
  return Number(seconds ?? 0) * 1e3;
}

// src/stash/queries.ts
var query = (document, shape) => ({ document, shape });
var textOrEmpty = pipe(
  nullable(string()),
  transform((text2) => text2 ?? "")
);
var textOrNull = pipe(
  nullable(string()),
  transform((text2) => text2 || null)
);
var numericId = pipe(string(), digits(), transform(Number));
var named3 = object({ id: string(), name: string() });
var studio = pipe(
  object({ id: string(), name: string(), parent_studio: nullable(named3) }),
  transform(({ id: id2, name, parent_studio }) => ({ id: id2, name, parent: parent_studio }))
);
var sceneShape = object({
  id: numericId,
  title: textOrEmpty,
  code: textOrEmpty,
  details: textOrEmpty,
  date: textOrNull,
  director: textOrEmpty,
  rating100: nullable(number()),
  organized: boolean(),
  paths: object({ screenshot: textOrNull }),
  files: array(object({ path: string() })),
  studio: nullable(studio),
  performers: array(named3),
  tags: array(named3),
  groups: array(object({ group: named3 }))
});
var toScene = ({ paths, files, groups, ...rest }) => ({
  ...rest,
  cover: paths.screenshot && coverPath(paths.screenshot),
  files: files.map((file) => file.path),
  groups: groups.map((one) => one.group)
});
var sceneFields = `id title code details date director rating100 organized
      paths { screenshot }
      files { path }
      studio { id name parent_studio { id name } }
      performers { id name }
      tags { id name }
      groups { group { id name } }`;
var sceneQuery = query(
  `query SluiceScene($id: ID!) {
    findScene(id: $id) {
      ${sceneFields}
    }
  }`,
  object({ findScene: nullable(pipe(sceneShape, transform(toScene))) })
);
var listing = (name, fields3, each) => query(
  `query ${name}($scenes: SceneFilterType, $page: FindFilterType) {
    findScenes(scene_filter: $scenes, filter: $page) {
      count
      scenes {
        updated_at
        ${fields3}
      }
    }
  }`,
  object({ findScenes: object({ count: number(), scenes: array(each) }) })
);
var sceneIdsQuery = listing(
  "SluiceSceneIds",
  "id",
  pipe(
    object({ id: numericId, updated_at: string() }),
    transform(({ id: id2, updated_at }) => ({ id: id2, updatedAt: updated_at, wanted: id2 }))
  )
);
var scenesQuery = listing(
  "SluiceScenes",
  sceneFields,
  pipe(
    object({ ...sceneShape.entries, updated_at: string() }),
    transform(({ updated_at, ...found }) => ({
      id: found.id,
      updatedAt: updated_at,
      wanted: toScene(found)
    }))
  )
);
var general = object({ apiKey: textOrNull });
var apiKeyQuery = query(
  "query SluiceApiKey { configuration { general { apiKey } } }",
  object({ configuration: object({ general }) })
);
var pluginStateQuery = query(
  `query SluicePluginState($ids: [ID!]) {
    configuration { general { apiKey } plugins(include: $ids) }
    plugins { id enabled version }
  }`,
  object({
    configuration: object({
      general,
      plugins: record(string(), nullable(record(string(), unknown())))
    }),
    plugins: nullable(array(object({ id: string(), enabled: boolean(), version: textOrNull })))
  })
);

// src/stash/client.ts
var defaultTimeoutMs = 3e4;
var zoneMarginMs = 26 * 36e5;
var StashClient = class {
  #credentials;
  #pluginId;
  #clock;
  #timeoutMs;
  #verifying = makeFetch({ trustAnyCertificate: false });
  /** For loopback only: nobody signs a certificate for it, and nobody else can answer there. */
  #trusting = makeFetch({ trustAnyCertificate: true });
  constructor(options) {
    this.#credentials = new Credentials(options.connection);
    this.#pluginId = options.pluginId;
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  }
  /** How Stash is reached, with the newest cookie: worth keeping for the next worker. */
  get connection() {
    return this.#credentials.connection;
  }
  /** A hook brought a newer connection. */
  useConnection(newer) {
    this.#credentials.use(newer);
  }
  /** null: there is no such scene (any more). */
  async scene(id2, signal) {
    const { findScene } = await this.#ask(sceneQuery, { id: String(id2) }, signal);
    return findScene;
  }
  /** The ids after `after`, ascending, at most `limit`. Scenes that come or go meanwhile shift nothing. */
  async sceneIds(wanted, signal) {
    const { found, ...page } = await this.#page(sceneIdsQuery, wanted, {}, signal);
    return { ...page, ids: found };
  }
  /** The same with all that Plex shows of each scene. */
  async scenes(wanted, signal) {
    const { found, ...page } = await this.#page(scenesQuery, wanted, {}, signal);
    return { ...page, scenes: found };
  }
  /** Ids of the scenes that a performer, studio, tag or group is on; of one that is gone there are none. */
  async relatedSceneIds(of, after, limit, signal) {
    const wanted = { after, updatedSince: null, limit };
    const { found, ...page } = await this.#page(sceneIdsQuery, wanted, relatedFilter(of), signal);
    return { ...page, ids: found };
  }
  /**
   * The cover at this path (`Scene.cover`); null: there is none. Throws a StashTrouble when Stash is away or does not
   * let us in, and an UnusableCover when it has one that is of no use.
   */
  async cover(path, signal) {
    return this.#letIn((pass) => this.#fetchCover(path, pass, signal), signal);
  }
  /** The plugin's own settings and whether Stash still wants it. Asked regularly, it also keeps us let in. */
  async pluginState(signal) {
    if (this.#credentials.shouldRenewIdleCookie(this.#clock.now())) await this.#renewIdleCookie(signal);
    const { configuration, plugins } = await this.#ask(pluginStateQuery, { ids: [this.#pluginId] }, signal);
    this.#credentials.learnKey(configuration.general.apiKey);
    const own = plugins?.find((plugin) => plugin.id === this.#pluginId);
    return {
      settings: configuration.plugins[this.#pluginId] ?? {},
      enabled: own?.enabled ?? null,
      version: own?.version ?? null
    };
  }
  async #page(query2, wanted, filter, signal) {
    const since = wanted.updatedSince && Math.floor(wanted.updatedSince.getTime() / 1e3) * 1e3;
    const scenes = {
      id: { value: wanted.after, modifier: "GREATER_THAN" },
      ...since !== null && {
        updated_at: { value: timestamp(since - zoneMarginMs), modifier: "GREATER_THAN" }
      },
      ...filter
    };
    const page = { page: 1, per_page: wanted.limit, sort: "id", direction: "ASC" };
    const { findScenes } = await this.#ask(query2, { scenes, page }, signal);
    const listed3 = findScenes.scenes;
    return {
      total: findScenes.count,
      // A time that cannot be read counts as recent: a needless sync does no harm.
      found: listed3.filter((one) => since === null || !(Date.parse(one.updatedAt) < since)).map((one) => one.wanted),
      last: listed3.length < findScenes.count ? listed3.at(-1)?.id ?? null : null
    };
  }
  #ask(query2, variables, signal) {
    return this.#letIn((pass) => this.#send(query2, variables, pass, signal), signal);
  }
  /** Does `work` with the best pass there is, and once more with another when the API key is refused. */
  async #letIn(work, signal) {
    if (!this.#credentials.keyKnown) await this.#readKey(signal);
    const pass = this.#credentials.best();
    try {
      return await work(pass);
    } catch (error) {
      if (pass.apiKey === null || !isRefusal(error)) throw error;
    }
    this.#credentials.forgetKey();
    await this.#readKey(signal);
    return await work(this.#credentials.best());
  }
  async #readKey(signal) {
    const { configuration } = await this.#send(apiKeyQuery, {}, this.#credentials.session(), signal);
    this.#credentials.learnKey(configuration.general.apiKey);
  }
  async #renewIdleCookie(signal) {
    try {
      await this.#readKey(signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  async #send(query2, variables, pass, signal) {
    const fetch2 = this.#fetchWith(pass);
    const client = new GraphQLClient(`${baseUrl(this.connection)}/graphql`, {
      redirect: "manual",
      excludeOperationName: true,
      headers: pass.headers,
      fetch: (input, init) => fetch2(input instanceof Request ? input.url : input, init)
    });
    const data = await this.#inTime(signal, async (inner) => {
      const answer = await client.rawRequest({ query: query2.document, variables, signal: inner });
      return answer.data;
    });
    const parsed = safeParse(query2.shape, data);
    if (!parsed.success) throw troubleOfShape(parsed.issues);
    return parsed.output;
  }
  #fetchCover(path, pass, signal) {
    const fetch2 = this.#fetchWith(pass);
    const url = coverUrl(this.connection, path);
    return this.#inTime(
      signal,
      async (inner) => readCover(await fetch2(url, { redirect: "manual", headers: pass.headers, signal: inner }))
    );
  }
  /** For the connection as it is now: a hook may bring another before the answer is there. */
  #fetchWith(pass) {
    const fetch2 = isLoopback(this.connection) ? this.#trusting : this.#verifying;
    return async (url, init) => {
      const response = await fetch2(url, init);
      if (response.ok) this.#credentials.renew(pass, response.headers.getSetCookie(), this.#clock.now());
      return response;
    };
  }
  /** What fails is a StashTrouble, save the caller's own reason, and a cover of no use, which is no failure of Stash. */
  async #inTime(signal, work) {
    try {
      return await withDeadline(this.#timeoutMs, this.#clock, signal, work);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof UnusableCover ? error : troubleOf(error);
    }
  }
};
var isRefusal = (error) => error instanceof StashTrouble && error.kind === "unauthorised";
var timestamp = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
function relatedFilter({ object: object2, id: id2, withChildren }) {
  const among2 = { value: [String(id2)], modifier: "INCLUDES" };
  switch (object2) {
    case "Performer":
      return { performers: among2 };
    case "Studio":
      return { studios: { ...among2, depth: withChildren ? 1 : 0 } };
    case "Tag":
      return { tags: { ...among2, depth: 0 } };
    case "Group":
      return { groups: { ...among2, depth: 0 } };
  }
}

// src/stash/plugin-id.ts
var import_node_fs17 = require("node:fs");
var import_node_path10 = require("node:path");
function pluginId(pluginDir) {
  const manifests = filesIn(pluginDir).filter((name) => name.endsWith(".yml") && name !== ".yml");
  const ours = manifests.length > 1 ? manifests.filter((name) => mentionsUs((0, import_node_path10.join)(pluginDir, name))) : manifests;
  const [first] = ours.sort();
  return first === void 0 ? (0, import_node_path10.basename)(pluginDir) : (0, import_node_path10.basename)(first, ".yml");
}
function filesIn(dir) {
  try {
    return (0, import_node_fs17.readdirSync)(dir);
  } catch {
    return [];
  }
}
function mentionsUs(path) {
  try {
    return (0, import_node_fs17.readFileSync)(path, "utf8").includes("sluice.sh");
  } catch {
    return false;
  }
}

// src/worker/stash-link.ts
var firstWaitMs = 1e3;
var longestWaitMs = 6e4;
var toldAfterFailures = 3;
var keepCookieEveryMs = 6e4;
var StashLink = class {
  constructor(path, pluginDir, clock, log, notices) {
    this.pluginDir = pluginDir;
    this.clock = clock;
    this.log = log;
    this.notices = notices;
    this.#format = {
      path,
      version: connectionVersion,
      parse: (value) => ({ ...parseConnectionDocument(value), at: Number(value.at) || 0 }),
      ifLost: "The next save in Stash brings a new one."
    };
    const { value: known3 } = loadDocument(this.#format, clock.now(), log);
    if (known3) this.learn(known3, known3.at);
  }
  pluginDir;
  clock;
  log;
  notices;
  #format;
  #client = null;
  #at = 0;
  #saved = "";
  #savedAt = 0;
  /** How many questions Stash has answered. */
  answered = 0;
  #failures = 0;
  #retryAt = 0;
  #health = { reachable: false, since: null, error: "not asked yet" };
  get health() {
    return this.#health;
  }
  /** What a hook told at that time; an older one is not believed. */
  learn(connection, at) {
    if (at < this.#at && this.#at <= this.clock.now()) return;
    this.#at = at;
    if (this.#client) this.#client.useConnection(connection);
    else {
      this.#client = new StashClient({ connection, pluginId: pluginId(this.pluginDir), clock: this.clock });
    }
    this.#retryAt = 0;
  }
  /** The earliest instant at which asking makes sense. */
  get retryAt() {
    return this.#retryAt > this.clock.now() + longestWaitMs ? 0 : this.#retryAt;
  }
  /** Asks Stash something and notes how that went. */
  async ask(question) {
    try {
      if (!this.#client) {
        throw new StashTrouble("away", "No hook has said yet how to reach Stash. Save something in Stash.");
      }
      const answer = await question(this.#client);
      this.#noteWell();
      return answer;
    } catch (error) {
      if (error instanceof StashTrouble) this.#noteTrouble(error);
      throw error;
    }
  }
  scene(id2, signal) {
    return this.ask((client) => client.scene(id2, signal));
  }
  scenes(wanted, signal) {
    return this.ask((client) => client.scenes(wanted, signal));
  }
  relatedSceneIds(of, after, limit, signal) {
    return this.ask((client) => client.relatedSceneIds(of, after, limit, signal));
  }
  cover(path, signal) {
    return this.ask((client) => client.cover(path, signal));
  }
  /** Writes down a connection that is new, and now and then a cookie that was renewed. */
  async keep() {
    const connection = this.#client?.connection;
    if (!connection) return;
    const text2 = JSON.stringify(connection);
    const now = this.clock.now();
    const due = Math.abs(now - this.#savedAt) >= keepCookieEveryMs;
    if (text2 === this.#saved || this.#saved !== "" && !due) return;
    await saveDocument(this.#format, { ...connection, at: Math.max(this.#at, this.#saved === "" ? 0 : now) });
    this.#saved = text2;
    this.#savedAt = now;
  }
  #noteWell() {
    this.answered++;
    if (!this.#health.reachable) {
      if (this.#failures >= toldAfterFailures) this.log.info("Stash answers again.");
      this.#health = { reachable: true, since: iso(this.clock.now()), error: null };
      this.notices.say("stash", null);
    }
    this.#failures = 0;
    this.#retryAt = 0;
  }
  #noteTrouble({ message }) {
    const now = this.clock.now();
    const since = this.#failures > 0 ? this.#health.since : iso(now);
    this.#health = { reachable: false, since, error: message };
    if (this.retryAt > now) return;
    this.#retryAt = now + Math.min(longestWaitMs, firstWaitMs * 2 ** this.#failures);
    this.#failures++;
    if (this.#failures >= toldAfterFailures)
      this.notices.say("stash", `Sluice cannot read from Stash: ${message}`);
  }
};

// src/worker/state.ts
var import_node_fs20 = require("node:fs");
var import_node_path12 = require("node:path");

// src/persist/journaled-map.ts
var import_node_fs19 = require("node:fs");
var import_node_path11 = require("node:path");

// src/persist/journal-format.ts
var import_node_fs18 = require("node:fs");
var formatVersion = 1;
var mapFiles = (base) => ({
  snapshot: `${base}.json`,
  journal: `${base}.ndjson`,
  previousSnapshot: `${base}.prev.json`,
  previousJournal: `${base}.prev.ndjson`,
  nextSnapshot: `${base}.next.json`,
  damageMark: `${base}.damaged`
});
var isAfter = (a, b) => a[0] > b[0] || a[0] === b[0] && a[1] > b[1];
function snapshotText(kind, place, entries) {
  const [epoch, seq] = place;
  const rows = [];
  for (const [key2, value] of entries) rows.push(`${JSON.stringify(key2)}:${JSON.stringify(value)}`);
  const head = `"version":${formatVersion},"kind":${JSON.stringify(kind)},"epoch":${epoch},"seq":${seq}`;
  return `{${head},"entries":{
${rows.join(",\n")}
}}
`;
}
function recover(files, kind, parse4, log) {
  const damage = /* @__PURE__ */ new Set();
  const broken = [];
  const entries = /* @__PURE__ */ new Map();
  const take = (key2, value, path) => {
    try {
      entries.set(key2, parse4(value));
    } catch (error) {
      damage.add(path);
      log.warn(`In ${path} the entry "${key2}" cannot be used (${messageOf(error)}).`);
    }
  };
  let place = [0, 0];
  let baseFile = null;
  const snapshots = newestFirst([files.nextSnapshot, files.snapshot, files.previousSnapshot], kind, broken);
  for (const { path, content } of snapshots) {
    const found = readSnapshot(content(), (key2, value) => take(key2, value, path));
    if (found) {
      [place, baseFile] = [found, path];
      break;
    }
    entries.clear();
    broken.push({ path, why: "it is cut short or not JSON" });
  }
  const unreadableSnapshot = broken[0]?.path ?? null;
  const replay = (line, path) => {
    const here = [line.epoch, line.seq];
    if (!isAfter(here, place)) return;
    const gap = line.after ? isAfter(line.after, place) : line.epoch !== place[0] || line.seq !== place[1] + 1;
    if (gap) {
      damage.add(path);
      log.warn(`In ${path} changes are missing before number ${line.seq}.`);
    }
    place = here;
    if (line.key === void 0) return;
    if (line.value === void 0) entries.delete(line.key);
    else take(line.key, line.value, path);
  };
  const previous = readJournal(files.previousJournal, broken, log, replay);
  const current = readJournal(files.journal, broken, log, replay);
  if (current.unreadableEnd) damage.add(files.journal);
  else if (previous.unreadableEnd && current.lines === 0) damage.add(files.previousJournal);
  if (unreadableSnapshot && current.lines === 0) damage.add(unreadableSnapshot);
  if ((0, import_node_fs18.existsSync)(files.damageMark)) damage.add(files.damageMark);
  return {
    entries,
    place,
    journalLines: current.lines,
    journalBytes: current.bytes,
    damage: [...damage],
    broken,
    untidy: damage.size > 0 || unreadableSnapshot !== null || baseFile === files.nextSnapshot
  };
}
function newestFirst(paths, kind, broken) {
  const found = [];
  for (const path of paths) {
    try {
      const place = placeOf2(headOf(path), kind, path);
      found.push({ path, place, content: () => (0, import_node_fs18.readFileSync)(path) });
    } catch (error) {
      if (error instanceof NewerState) throw error;
      if (codeOf(error) !== "ENOENT") broken.push({ path, why: messageOf(error) });
    }
  }
  return found.sort((a, b) => isAfter(a.place, b.place) ? -1 : 1);
}
var headBytes = 400;
function headOf(path) {
  const fd = (0, import_node_fs18.openSync)(path, "r");
  try {
    const bytes = Buffer.alloc(headBytes);
    return bytes.toString("utf8", 0, (0, import_node_fs18.readSync)(fd, bytes, 0, headBytes, 0));
  } finally {
    (0, import_node_fs18.closeSync)(fd);
  }
}
function placeOf2(head, kind, path) {
  const field2 = (name) => new RegExp(`"${name}"\\s*:\\s*("[^"]*"|\\d+)`).exec(head)?.[1];
  const version2 = Number(field2("version"));
  if (version2 > formatVersion) throw new NewerState(path);
  if (version2 !== formatVersion || field2("kind") !== JSON.stringify(kind)) {
    throw new Error(`it is not a ${kind} snapshot`);
  }
  const place = [Number(field2("epoch") ?? Number.NaN), Number(field2("seq") ?? Number.NaN)];
  if (!place.every(isCount)) throw new Error("its epoch or number is missing");
  return place;
}
function readSnapshot(content, take) {
  const place = (value) => isCount(value.epoch) && isCount(value.seq) ? [value.epoch, value.seq] : null;
  try {
    const rows = linesOf(content, content.length);
    const head = JSON.parse(`${rows.next().value}}}`);
    let last = "";
    for (const row of rows) {
      if (last !== "") takeRow(last, take);
      last = row;
    }
    if (last === "}}") return place(head);
  } catch {
  }
  try {
    const value = JSON.parse(content.toString("utf8"));
    const { entries } = value;
    if (typeof entries !== "object" || entries === null || Array.isArray(entries)) return null;
    for (const [key2, one] of Object.entries(entries)) take(key2, one);
    return place(value);
  } catch {
    return null;
  }
}
function takeRow(row, take) {
  const entry3 = JSON.parse(`{${row.endsWith(",") ? row.slice(0, -1) : row}}`);
  for (const [key2, value] of Object.entries(entry3)) take(key2, value);
}
function* linesOf(content, end) {
  for (let start = 0; start < end; ) {
    const found = content.indexOf(10, start);
    const stop = found < 0 || found > end ? end : found;
    if (stop > start) yield content.toString("utf8", start, stop);
    start = stop + 1;
  }
}
function readJournal(path, broken, log, replay) {
  let content;
  try {
    content = (0, import_node_fs18.readFileSync)(path);
  } catch (error) {
    const missing = codeOf(error) === "ENOENT";
    if (!missing) broken.push({ path, why: messageOf(error) });
    return { lines: 0, bytes: null, unreadableEnd: !missing };
  }
  const end = content.lastIndexOf("\n") + 1;
  let lines = 0;
  let unreadable2 = 0;
  let unreadableEnd = false;
  for (const row of linesOf(content, end)) {
    const line = parseLine(row);
    if (line) {
      lines++;
      replay(line, path);
    } else unreadable2++;
    unreadableEnd = line === null;
  }
  if (unreadable2 > 0) log.warn(`${path} has ${counted(unreadable2, "line", "lines")} that cannot be read.`);
  if (end < content.length) {
    const cutShort = lineStart.startsWith(content.toString("utf8", end, end + lineStart.length));
    if (cutShort) log.warn(`${path} ends in the middle of a line, as after a crash; that part is dropped.`);
    else log.warn(`${path} ends in something that cannot be read.`);
    unreadableEnd ||= !cutShort;
  }
  return { lines, bytes: end, unreadableEnd };
}
var lineStart = '{"seq":';
function parseLine(row) {
  try {
    const line = JSON.parse(row);
    if (typeof line !== "object" || line === null || !isCount(line.seq) || !isCount(line.epoch)) return null;
    if (line.key !== void 0 && typeof line.key !== "string") return null;
    if (line.after !== void 0 && !(Array.isArray(line.after) && line.after.every(isCount))) return null;
    return line.key === void 0 && line.after === void 0 ? null : line;
  } catch {
    return null;
  }
}
var isCount = (value) => Number.isSafeInteger(value) && value >= 0;

// src/persist/journaled-map.ts
var worthSnapshotLines = 1e3;
var pieceChars = 64 * 1024;
function writeAll(fd, text2) {
  const bytes = Buffer.from(text2);
  for (let done = 0; done < bytes.length; ) done += (0, import_node_fs19.writeSync)(fd, bytes, done);
}
var JournaledMap = class _JournaledMap {
  /** Files in which changes were missing when the map was opened. */
  damage;
  #options;
  #worthSnapshotLines;
  #nextSnapshotLines;
  #files;
  #entries;
  /** The last change that is on disk. */
  #place;
  #epoch;
  /** Changed keys that are not on disk yet. */
  #pending = /* @__PURE__ */ new Set();
  /** The next append begins with a mark: nothing older is valid after it. */
  #markDue = true;
  #journalLines;
  /** A crash or damage left the files in a state that a new snapshot mends. */
  #untidy;
  #journal = null;
  #compaction = null;
  /**
   * Damage must not be forgotten when the process dies right after it was seen: a mark on disk holds it until what
   * the owner does about it (`onDamage`) is in the snapshot that makes the files whole again.
   */
  static async open(options) {
    const map = new _JournaledMap(options);
    if (map.damage.length > 0) options.onDamage?.(map);
    if (map.#untidy) await map.#compact();
    else await map.flush();
    (0, import_node_fs19.rmSync)(map.#files.damageMark, { force: true });
    return map;
  }
  constructor(options) {
    this.#options = options;
    this.#worthSnapshotLines = options.worthSnapshotLines ?? worthSnapshotLines;
    this.#nextSnapshotLines = this.#worthSnapshotLines;
    this.#files = mapFiles(options.base);
    options.mayCommit();
    const kind = (0, import_node_path11.basename)(options.base);
    const now = options.clock.now();
    const found = recover(this.#files, kind, options.parse, options.log);
    this.damage = found.damage;
    if (this.damage.length > 0)
      (0, import_node_fs19.writeFileSync)(this.#files.damageMark, this.damage.join("\n"), { mode: privateFile });
    crashPoint(`${kind}.damage.marked`);
    for (const { path, why } of found.broken)
      setAside(path, why, "Its previous copy is used.", now, options.log);
    for (const path of this.damage) if ((0, import_node_fs19.existsSync)(path)) keepCopy(path, now, options.log);
    this.#untidy = found.untidy;
    this.#entries = found.entries;
    this.#place = found.place;
    this.#epoch = options.epoch >= found.place[0] ? options.epoch : found.place[0] + 1;
    this.#journalLines = found.journalLines;
    if (found.journalBytes !== null) (0, import_node_fs19.truncateSync)(this.#files.journal, found.journalBytes);
  }
  get size() {
    return this.#entries.size;
  }
  get(key2) {
    return this.#entries.get(key2);
  }
  entries() {
    return this.#entries.entries();
  }
  put(key2, value) {
    this.#entries.set(key2, value);
    this.#pending.add(key2);
  }
  delete(key2) {
    if (this.#entries.delete(key2)) this.#pending.add(key2);
  }
  async flush() {
    while (this.#compaction) await this.#compaction;
    if (this.#pending.size === 0 && !this.#markDue) return;
    this.#append();
    if (this.#journalLines > Math.max(this.#nextSnapshotLines, 2 * this.size))
      await this.#compactIfPossible();
  }
  /** The journal has it all: a snapshot for which there is no room can wait until the journal has grown on. */
  async #compactIfPossible() {
    try {
      await this.#compact();
      this.#nextSnapshotLines = this.#worthSnapshotLines;
    } catch (error) {
      if (!isFileError(error)) throw error;
      this.#nextSnapshotLines = 2 * this.#journalLines;
      const { base, log } = this.#options;
      log.warn(
        `No new snapshot of ${base}.json could be written: ${describeFileError(error)}. Nothing is lost.`
      );
    }
  }
  async close() {
    await this.flush();
    if (this.#journalLines > (this.#worthSnapshotLines + this.size) / 10) await this.#compact();
    this.#closeJournal();
  }
  #append() {
    const point = (0, import_node_path11.basename)(this.#options.base);
    this.#options.mayCommit();
    this.#journal ??= (0, import_node_fs19.openSync)(this.#files.journal, "a", privateFile);
    const sizeBefore = (0, import_node_fs19.fstatSync)(this.#journal).size;
    const orUndo = (write, fd) => {
      try {
        write(fd);
      } catch (error) {
        (0, import_node_fs19.ftruncateSync)(fd, sizeBefore);
        throw error;
      }
    };
    crashPoint(`${point}.append`);
    let [, seq] = this.#place;
    orUndo((fd) => {
      let text2 = "";
      const row = (line) => {
        text2 += `${JSON.stringify({ seq: ++seq, epoch: this.#epoch, ...line })}
`;
        if (text2.length < pieceChars) return;
        writeAll(fd, text2);
        text2 = "";
      };
      if (this.#markDue) row({ after: this.#place });
      for (const key2 of this.#pending) row({ key: key2, value: this.#entries.get(key2) });
      writeAll(fd, text2);
    }, this.#journal);
    crashPoint(`${point}.append.written`);
    orUndo(import_node_fs19.fsyncSync, this.#journal);
    crashPoint(`${point}.append.synced`);
    this.#journalLines += seq - this.#place[1];
    this.#place = [this.#epoch, seq];
    this.#pending.clear();
    this.#markDue = false;
  }
  #compact() {
    this.#compaction ??= this.#rotate().finally(() => {
      this.#compaction = null;
    });
    return this.#compaction;
  }
  async #rotate() {
    const { snapshot, journal, previousSnapshot, previousJournal, nextSnapshot } = this.#files;
    const point = (0, import_node_path11.basename)(this.#options.base);
    if (this.#pending.size > 0) this.#append();
    const text2 = snapshotText(point, this.#place, this.#entries);
    this.#options.mayCommit();
    crashPoint(`${point}.snapshot`);
    await writeFileWhole(nextSnapshot, text2);
    crashPoint(`${point}.snapshot.written`);
    this.#options.mayCommit();
    this.#closeJournal();
    if ((0, import_node_fs19.existsSync)(journal)) (0, import_node_fs19.renameSync)(journal, previousJournal);
    crashPoint(`${point}.rotate.journal`);
    if ((0, import_node_fs19.existsSync)(snapshot)) (0, import_node_fs19.renameSync)(snapshot, previousSnapshot);
    crashPoint(`${point}.rotate.snapshot`);
    (0, import_node_fs19.renameSync)(nextSnapshot, snapshot);
    syncFolder((0, import_node_path11.dirname)(snapshot));
    crashPoint(`${point}.rotate.done`);
    this.#journalLines = 0;
    this.#markDue = true;
    this.#append();
  }
  #closeJournal() {
    if (this.#journal !== null) (0, import_node_fs19.closeSync)(this.#journal);
    this.#journal = null;
  }
};

// src/queue/entries.ts
var time2 = pipe(number(), finite());
var count = pipe(number(), integer(), minValue(0));
var job = object({
  is: literal("job"),
  target: string(),
  scene: count,
  /** Grows with every event, so that an edit during a sync is not taken for synced. */
  rev: count,
  /** Not an edit of a person: goes after those. */
  bulk: boolean(),
  /** A person asked for this sync: look at Plex even if nothing seems to have changed. */
  asked: boolean(),
  queuedAt: time2,
  /** The earliest next try; 0: at once. */
  dueAt: time2,
  attempts: count,
  /** Why the last try failed. */
  reason: nullable(string()),
  /** It was synced and counted, but something may be missing in Stash still: it is looked at once more. */
  secondLook: exactOptional(boolean())
});
var fanOut = object({
  is: literal("fan-out"),
  object: picklist(["Performer", "Studio", "Tag", "Group"]),
  id: count,
  action: picklist(["Update", "Destroy", "Merge"]),
  queuedAt: time2,
  /** The last scene id that was queued for it. */
  after: optional(count, 0)
});
var sweep = object({
  is: literal("sweep"),
  /** Only scenes that changed in Stash since then; null: all. */
  since: nullable(time2),
  /** A person asked for it. */
  asked: optional(boolean(), false),
  /** The last scene id that was looked at. */
  after: count,
  total: nullable(count),
  looked: optional(count, 0),
  queued: count,
  /** What differed, and how often. */
  found: optional(record(string(), count), {}),
  startedAt: time2
});
var tally = object({
  is: literal("tally"),
  done: count,
  failed: count,
  retried: optional(count, 0),
  /** Of those that are done: how many each rule left out. */
  filtered: optional(record(string(), count), {})
});
var memo = object({ is: literal("memo"), value: union([string(), number()]) });
var entry = variant("is", [job, fanOut, sweep, tally, memo]);
var parseQueueEntry = (value) => parse2(entry, value);
var deadLetter = object({
  target: string(),
  scene: count,
  /** The outcome that ended it. */
  kind: string(),
  reason: string(),
  attempts: count,
  at: time2
});
var parseDeadLetter = (value) => parse2(deadLetter, value);

// node_modules/tinyqueue/index.js
var TinyQueue = class {
  constructor(data = [], compare3 = (a, b) => a < b ? -1 : a > b ? 1 : 0) {
    this.data = data;
    this.length = this.data.length;
    this.compare = compare3;
    if (this.length > 0) {
      for (let i = (this.length >> 1) - 1; i >= 0; i--) this._down(i);
    }
  }
  push(item) {
    this.data.push(item);
    this._up(this.length++);
  }
  pop() {
    if (this.length === 0) return void 0;
    const top = this.data[0];
    const bottom = this.data.pop();
    if (--this.length > 0) {
      this.data[0] = bottom;
      this._down(0);
    }
    return top;
  }
  peek() {
    return this.data[0];
  }
  _up(pos) {
    const { data, compare: compare3 } = this;
    const item = data[pos];
    while (pos > 0) {
      const parent = pos - 1 >> 1;
      const current = data[parent];
      if (compare3(item, current) >= 0) break;
      data[pos] = current;
      pos = parent;
    }
    data[pos] = item;
  }
  _down(pos) {
    const { data, compare: compare3 } = this;
    const halfLength = this.length >> 1;
    const item = data[pos];
    while (pos < halfLength) {
      let bestChild = (pos << 1) + 1;
      const right = bestChild + 1;
      if (right < this.length && compare3(data[right], data[bestChild]) < 0) {
        bestChild = right;
      }
      if (compare3(data[bestChild], item) >= 0) break;
      data[pos] = data[bestChild];
      pos = bestChild;
    }
    data[pos] = item;
  }
};

// src/queue/waiting-line.ts
var furthestRetryMs = 15 * 6e4;
var longestSearch = 50;
var isRetried = (job2) => job2.reason !== null;
var byPlace = (a, b) => Number(a.bulk) - Number(b.bulk) || a.at - b.at || a.scene - b.scene;
var byInstant = (a, b) => a.at - b.at || a.scene - b.scene;
var WaitingLine = class {
  #seats = /* @__PURE__ */ new Map();
  #ready = new TinyQueue([], byPlace);
  #later = new TinyQueue([], byInstant);
  #flying = /* @__PURE__ */ new Set();
  #stamps = 0;
  #laterCount = 0;
  #retrying = 0;
  get size() {
    return this.#seats.size;
  }
  get inFlight() {
    return this.#flying.size;
  }
  /** The scenes that are in flight. */
  flying() {
    return [...this.#flying];
  }
  /** Jobs that failed before and will be tried again. */
  get retrying() {
    return this.#retrying;
  }
  due(now) {
    this.#promote(now);
    return this.size - this.inFlight - this.#laterCount;
  }
  get(scene) {
    return this.#seats.get(scene)?.job;
  }
  isInFlight(scene) {
    return this.#flying.has(scene);
  }
  jobs() {
    return [...this.#seats.values()].map(({ job: job2 }) => job2);
  }
  /** Puts the job where it belongs, also when it was there before. One that is in flight stays so. */
  set(job2) {
    const old = this.#leave(job2.scene);
    const state = old?.state === "in flight" ? "in flight" : "later";
    this.#enter({ job: job2, stamp: ++this.#stamps, state });
  }
  remove(scene) {
    this.#leave(scene);
    this.#seats.delete(scene);
  }
  /** When the next job is due; null: none waits. */
  nextAt(now) {
    this.#promote(now);
    if (this.#peek(this.#ready, "ready")) return now;
    return this.#peek(this.#later, "later")?.at ?? null;
  }
  /** The next that is due. `prefer`: one of the first few of whom that is true, if there is one. */
  take(now, prefer = () => true) {
    this.#promote(now);
    const passedOver = [];
    let chosen = this.#peek(this.#ready, "ready");
    while (chosen && !prefer(this.#jobOf(chosen)) && passedOver.length < longestSearch) {
      passedOver.push(chosen);
      this.#ready.pop();
      chosen = this.#peek(this.#ready, "ready");
    }
    if (!chosen || !prefer(this.#jobOf(chosen))) chosen = passedOver[0] ?? chosen;
    for (const ticket of passedOver) this.#ready.push(ticket);
    const seat = chosen && this.#leave(chosen.scene);
    if (!seat) return null;
    this.#enter({ ...seat, stamp: ++this.#stamps, state: "in flight" });
    return seat.job;
  }
  /** Back from its flight; `set` or `remove` says what becomes of it. */
  land(scene) {
    const seat = this.#leave(scene);
    if (seat) this.#enter({ ...seat, stamp: ++this.#stamps, state: "later" });
  }
  #jobOf({ scene }) {
    const job2 = this.get(scene);
    if (!job2) throw new Error(`A ticket of scene ${scene} has no seat`);
    return job2;
  }
  #enter(seat) {
    const { job: job2, stamp, state } = seat;
    this.#seats.set(job2.scene, seat);
    if (isRetried(job2)) this.#retrying++;
    if (state === "in flight") this.#flying.add(job2.scene);
    else if (state === "ready") {
      this.#ready.push({ scene: job2.scene, stamp, bulk: job2.bulk, at: job2.queuedAt });
    } else {
      this.#laterCount++;
      this.#later.push({ scene: job2.scene, stamp, bulk: job2.bulk, at: job2.dueAt });
    }
  }
  /** Gives up its seat, which stays in the map until `#enter` takes it or `remove` clears it. */
  #leave(scene) {
    const seat = this.#seats.get(scene);
    if (!seat) return void 0;
    if (isRetried(seat.job)) this.#retrying--;
    if (seat.state === "in flight") this.#flying.delete(scene);
    else if (seat.state === "later") this.#laterCount--;
    return seat;
  }
  #promote(now) {
    for (; ; ) {
      const ticket = this.#peek(this.#later, "later");
      if (!ticket || ticket.at > now && ticket.at <= now + furthestRetryMs) return;
      const seat = this.#leave(ticket.scene);
      if (seat) this.#enter({ ...seat, stamp: ++this.#stamps, state: "ready" });
    }
  }
  #peek(heap, state) {
    for (; ; ) {
      const ticket = heap.peek();
      if (!ticket) return void 0;
      const seat = this.#seats.get(ticket.scene);
      if (seat && seat.stamp === ticket.stamp && seat.state === state) return ticket;
      heap.pop();
    }
  }
};

// src/queue/queue.ts
var Queue = class {
  #store;
  #clock;
  #lines = /* @__PURE__ */ new Map();
  /** In the order in which they came in. */
  #fanOuts = /* @__PURE__ */ new Map();
  constructor(store, clock) {
    this.#store = store;
    this.#clock = clock;
    const fanOuts = [];
    for (const [, entry3] of store.entries()) {
      if (entry3.is === "job") this.#line(entry3.target).set({ ...entry3, asked: true });
      else if (entry3.is === "fan-out") fanOuts.push(entry3);
    }
    fanOuts.sort((a, b) => a.queuedAt - b.queuedAt);
    for (const fanOut2 of fanOuts) this.#fanOuts.set(fanOutKey(fanOut2), fanOut2);
  }
  flush() {
    return this.#store.flush();
  }
  /** `since`: for how long already it is to be done; from now on, if not told. */
  add(target, scene, how) {
    const now = how.since ?? this.#clock.now();
    const old = this.#line(target).get(scene);
    this.#putJob({
      is: "job",
      target,
      scene,
      rev: old ? old.rev + 1 : 1,
      bulk: how.bulk && (old?.bulk ?? true),
      asked: how.asked || (old?.asked ?? false),
      queuedAt: old && !old.secondLook ? old.queuedAt : now,
      dueAt: 0,
      attempts: 0,
      reason: null
    });
  }
  /** The next job that is due, now in flight; null: none. `prefer`: rather one of whom that is true. */
  take(target, prefer) {
    return this.#line(target).take(this.#clock.now(), prefer);
  }
  job(target, scene) {
    return this.#line(target).get(scene);
  }
  /** When the next job of the target is due (in the past: now); null: none waits. */
  nextAt(target) {
    return this.#line(target).nextAt(this.#clock.now());
  }
  settle(job2, verdict) {
    const line = this.#line(job2.target);
    line.land(job2.scene);
    const current = line.get(job2.scene);
    this.#countIn(job2, verdict);
    if (!current || verdict.kind === "back") return;
    if (current.rev !== job2.rev) return;
    if (verdict.kind === "retry") {
      const { at, reason, charged } = verdict;
      this.#putJob({ ...current, attempts: current.attempts + (charged ? 1 : 0), dueAt: at, reason });
    } else if (verdict.kind === "later") {
      const rest = { bulk: true, asked: false, attempts: 0, reason: null, secondLook: true };
      this.#putJob({ ...current, ...rest, dueAt: verdict.at });
    } else this.#remove(job2.target, job2.scene);
  }
  /** The scenes of a target that are in flight. */
  flying(target) {
    return this.#line(target).flying();
  }
  /**
   * The scene is gone from Stash: nothing waits for it any more. What is in flight may have been read before it went,
   * so that is looked at again.
   */
  forget(scene) {
    for (const [target, line] of this.#lines) {
      if (line.isInFlight(scene)) this.add(target, scene, { bulk: true, asked: false });
      else if (line.get(scene)) this.#remove(target, scene);
    }
  }
  /** One that is under way for the same object begins anew. An object that is gone stays gone. */
  addFanOut({ object: object2, id: id2, action }) {
    const key2 = fanOutKey({ object: object2, id: id2 });
    const isGone = this.#fanOuts.get(key2)?.action === "Destroy";
    this.#fanOuts.delete(key2);
    this.#putFanOut({
      is: "fan-out",
      object: object2,
      id: id2,
      action: isGone ? "Destroy" : action,
      queuedAt: this.#clock.now(),
      after: 0
    });
  }
  /** The oldest first. */
  waitingFanOuts() {
    return [...this.#fanOuts.values()];
  }
  /** False: it was dropped, or has begun anew since. */
  isCurrent(fanOut2) {
    return this.#fanOuts.get(fanOutKey(fanOut2)) === fanOut2;
  }
  /** The scenes up to `after` are queued; null: all of them are, and it is over. */
  moveFanOut(fanOut2, after) {
    if (after === null) this.#removeFanOut(fanOutKey(fanOut2));
    else this.#putFanOut({ ...fanOut2, after });
  }
  /** Every scene was queued by other means since then, so these need not be worked off. */
  dropFanOutsBefore(time3) {
    for (const [key2, { queuedAt }] of [...this.#fanOuts]) if (queuedAt <= time3) this.#removeFanOut(key2);
  }
  sweeps() {
    const found = [];
    for (const name of sweepNames) {
      const sweep2 = this.#store.get(`sweep/${name}`);
      if (sweep2?.is === "sweep") found.push({ name, sweep: sweep2 });
    }
    return found;
  }
  /** `asked`: a person asked for it. */
  beginSweep(name, since, asked = false) {
    const startedAt = this.#clock.now();
    const begun = { asked, after: 0, total: null, looked: 0, queued: 0, found: {}, startedAt };
    this.setSweep(name, { is: "sweep", since, ...begun });
  }
  /** Null: it is over. */
  setSweep(name, sweep2) {
    if (sweep2) this.#store.put(`sweep/${name}`, sweep2);
    else this.#store.delete(`sweep/${name}`);
  }
  /** What waits for its next try need not wait: what it failed by has changed. */
  hurry(target) {
    const line = this.#line(target);
    for (const job2 of line.jobs()) {
      if (job2.reason !== null && job2.dueAt > 0 && !line.isInFlight(job2.scene))
        this.#putJob({ ...job2, dueAt: 0 });
    }
  }
  get isPaused() {
    return this.memo("paused") !== void 0;
  }
  memo(name) {
    const entry3 = this.#store.get(`memo/${name}`);
    return entry3?.is === "memo" ? entry3.value : void 0;
  }
  setMemo(name, value) {
    if (value === null) this.#store.delete(`memo/${name}`);
    else this.#store.put(`memo/${name}`, { is: "memo", value });
  }
  /** Forgets all that waits; what is in flight ends as it will. Returns how many jobs and fan-outs that were. */
  clear() {
    let cleared = 0;
    for (const [target, line] of this.#lines) {
      for (const job2 of line.jobs()) {
        if (line.isInFlight(job2.scene)) continue;
        this.#remove(target, job2.scene);
        cleared++;
      }
    }
    cleared += this.#fanOuts.size;
    for (const key2 of [...this.#fanOuts.keys()]) this.#removeFanOut(key2);
    for (const { name } of this.sweeps()) this.setSweep(name, null);
    return cleared;
  }
  get fanOuts() {
    return this.#fanOuts.size;
  }
  counts(target) {
    const line = this.#line(target);
    const due = line.due(this.#clock.now());
    return { waiting: line.size, due, inFlight: line.inFlight, retrying: line.retrying };
  }
  tally(target) {
    const entry3 = this.#store.get(`tally/${target}`);
    return entry3?.is === "tally" ? entry3 : { is: "tally", done: 0, failed: 0, retried: 0, filtered: {} };
  }
  /** Forgets a target and all that waits for it. */
  dropTarget(target) {
    for (const { scene } of this.#line(target).jobs()) this.#store.delete(jobKey(target, scene));
    this.#lines.delete(target);
    this.#store.delete(`tally/${target}`);
    for (const about of ["configured", "synced-all", "left"])
      this.setMemo(`${about}/${target}`, null);
  }
  /** What was counted as done before its second look is not counted as done again. */
  #countIn({ target, secondLook }, verdict) {
    if (verdict.kind === "back") return;
    const tally2 = { ...this.tally(target) };
    if (verdict.kind === "retry") tally2.retried++;
    else if (verdict.kind === "failed") tally2.failed++;
    else if (secondLook) return;
    else tally2.done++;
    if (verdict.kind === "done" && verdict.filteredBy !== void 0) {
      const rule = verdict.filteredBy;
      tally2.filtered = { ...tally2.filtered, [rule]: (tally2.filtered[rule] ?? 0) + 1 };
    }
    this.#store.put(`tally/${target}`, tally2);
  }
  #remove(target, scene) {
    this.#line(target).remove(scene);
    this.#store.delete(jobKey(target, scene));
  }
  #putFanOut(fanOut2) {
    this.#fanOuts.set(fanOutKey(fanOut2), fanOut2);
    this.#store.put(fanOutKey(fanOut2), fanOut2);
  }
  #removeFanOut(key2) {
    this.#fanOuts.delete(key2);
    this.#store.delete(key2);
  }
  #putJob(job2) {
    this.#line(job2.target).set(job2);
    this.#store.put(jobKey(job2.target, job2.scene), job2);
  }
  #line(target) {
    const line = this.#lines.get(target) ?? new WaitingLine();
    this.#lines.set(target, line);
    return line;
  }
};
var sweepNames = ["all", "recent", "reconcile"];
var fanOutKey = ({ object: object2, id: id2 }) => `fan-out/${object2}/${id2}`;
var jobKey = (target, scene) => `job/${target}/${scene}`;

// src/sync/ledger.ts
var texts = array(string());
var byField = record(string(), string());
var perKind = (of) => object({ poster: exactOptional(of), art: exactOptional(of) });
var entry2 = object({
  ratingKey: string(),
  file: optional(string(), ""),
  byName: exactOptional(literal(true)),
  wrote: byField,
  tried: exactOptional(record(string(), texts)),
  names: optional(record(string(), texts), {}),
  at: number(),
  seen: exactOptional(number()),
  keptOwn: exactOptional(literal(true)),
  stale: exactOptional(literal(true)),
  studio: nullable(string()),
  studioParent: exactOptional(string()),
  performers: texts,
  tags: texts,
  groups: texts,
  pictures: exactOptional(
    object({
      from: nullable(string()),
      sha1: nullable(string()),
      fresh: exactOptional(literal(true)),
      missingSince: exactOptional(number()),
      settled: perKind(string()),
      set: perKind(string()),
      shown: perKind(string()),
      uploaded: perKind(texts)
    })
  )
});
var parseLedgerEntry = (value) => parse2(entry2, value);
var StoredLedger = class {
  #store;
  #sceneAt = /* @__PURE__ */ new Map();
  constructor(store) {
    this.#store = store;
    for (const [scene, { ratingKey }] of store.entries()) this.#sceneAt.set(ratingKey, Number(scene));
  }
  get(scene) {
    return this.#store.get(String(scene));
  }
  put(scene, entry3) {
    this.#forgetPlace(scene);
    this.#sceneAt.set(entry3.ratingKey, scene);
    this.#store.put(String(scene), entry3);
  }
  remove(scene) {
    this.#forgetPlace(scene);
    this.#store.delete(String(scene));
  }
  sceneAt(ratingKey) {
    return this.#sceneAt.get(ratingKey);
  }
  flush() {
    return this.#store.flush();
  }
  get size() {
    return this.#store.size;
  }
  /** Every scene is compared with Plex again when its turn comes. */
  disbelieve() {
    for (const [scene, entry3] of [...this.#store.entries()])
      this.#store.put(scene, { ...entry3, stale: true });
  }
  /** Scenes that had one of these when they were last synced. */
  *scenesWith(kind, ids) {
    for (const [scene, entry3] of this.#store.entries()) {
      const had = kind === "studio" ? [entry3.studio, entry3.studioParent] : entry3[kind];
      if (had.some((id2) => typeof id2 === "string" && ids.has(id2))) yield Number(scene);
    }
  }
  *scenes() {
    for (const [scene] of this.#store.entries()) yield Number(scene);
  }
  #forgetPlace(scene) {
    const old = this.get(scene);
    if (old && this.#sceneAt.get(old.ratingKey) === scene) this.#sceneAt.delete(old.ratingKey);
  }
};

// src/worker/state.ts
async function openState(paths, lease, clock, log) {
  const open = (base, parse4, onDamage = () => {
  }) => JournaledMap.open({
    base,
    parse: parse4,
    epoch: lease.epoch,
    mayCommit: () => mayCommit(paths.lease, lease.token),
    clock,
    log,
    onDamage
  });
  const queueStore = await open(
    (0, import_node_path12.join)(paths.root, "queue"),
    parseQueueEntry,
    (map) => new Queue(map, clock).beginSweep("all", null)
  );
  const deadLetters = await open((0, import_node_path12.join)(paths.root, "dead-letters"), parseDeadLetter);
  const ledgers = /* @__PURE__ */ new Map();
  const stores = () => [...[...ledgers.values()].map(({ store }) => store), deadLetters, queueStore];
  return {
    queue: new Queue(queueStore, clock),
    deadLetters,
    ledger: async (target) => {
      const known3 = ledgers.get(target);
      if (known3) return known3.ledger;
      const folder = (0, import_node_path12.join)(paths.targets, target);
      (0, import_node_fs20.mkdirSync)(folder, { recursive: true, mode: privateFolder });
      const store = await open(
        (0, import_node_path12.join)(folder, "ledger"),
        parseLedgerEntry,
        (map) => new StoredLedger(map).disbelieve()
      );
      const ledger = new StoredLedger(store);
      ledgers.set(target, { store, ledger });
      return ledger;
    },
    closeLedger: async (target) => {
      await ledgers.get(target)?.store.close();
      ledgers.delete(target);
    },
    damage: queueStore.damage,
    flush: async () => {
      for (const store of stores()) await store.flush();
    },
    close: async () => {
      for (const store of stores()) await store.close();
    }
  };
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
var escaped = (text2) => text2.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

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
    const list3 = Array.isArray(found) ? found : [[{}, found]];
    return list3.map(([labels, value]) => [{ target, ...labels }, value]);
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
    ({ filtered }) => Object.entries(filtered).map(([rule, count4]) => [{ rule }, count4])
  )
];

// src/shared/version.ts
var version = true ? "0.1.0" : "0.0.0";

// src/worker/status-file.ts
var metricsEveryMs = 5e3;
var StatusFile = class {
  constructor(parts) {
    this.parts = parts;
    this.#since = iso(parts.clock.now());
  }
  parts;
  #since;
  #metricsAt = 0;
  /** `alive`: false at the end, when the worker is about to go. */
  async write(alive) {
    const { paths, clock } = this.parts;
    const status = this.#status(alive);
    await writeJson(paths.status, status);
    const now = clock.now();
    if (alive && Math.abs(now - this.#metricsAt) < metricsEveryMs) return;
    await writeFileWhole(paths.metrics, metricsText(status));
    this.#metricsAt = now;
  }
  #status(alive) {
    const { state, stash, inbox } = this.parts;
    const { queue, deadLetters } = state;
    const paused = queue.isPaused;
    const targets = {};
    for (const { target } of this.parts.targets.all()) {
      const { name } = target;
      targets[name] = target.status(paused, queue.counts(name), queue.tally(name));
    }
    return {
      version,
      paused,
      worker: alive ? { alive, pid: process.pid, since: this.#since } : { alive, pid: null, since: null },
      stash: stash.health,
      inbox: inbox.count(),
      queue: { ...sum(Object.values(targets).map((one) => one.queue)), fanOuts: queue.fanOuts },
      deadLetters: deadLetters.size,
      passes: queue.sweeps().map(({ name, sweep: { startedAt, looked, queued, total } }) => ({
        name: passNames[name],
        startedAt: iso(startedAt),
        looked,
        queued,
        total
      })),
      targets
    };
  }
};
var passNames = { all: "sync_all", recent: "sync_recent", reconcile: "reconcile" };
function sum(parts) {
  const total = { waiting: 0, due: 0, inFlight: 0, parked: 0, retrying: 0 };
  for (const part of parts) {
    for (const key2 of Object.keys(total)) total[key2] += part[key2];
  }
  return total;
}

// src/worker/sweeper.ts
var pageSize4 = 1e3;
var lookAgainMs2 = 6e4;
var plexWaitMs = 5e3;
var Sweeper = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  /** Those of which nothing is done yet, but all is prepared. */
  #begun = /* @__PURE__ */ new WeakSet();
  async run(signal) {
    const { queue, stash, bell, clock } = this.parts;
    while (!signal.aborted) {
      const [next2] = queue.sweeps();
      const waitMs = next2 ? stash.retryAt - clock.now() : lookAgainMs2;
      const isStuck = next2 && waitMs <= 0 && !await this.#page(next2.name, next2.sweep, signal);
      if (isStuck || waitMs > 0) await bell.wait(isStuck ? plexWaitMs : waitMs, clock, signal);
    }
  }
  /** False: it cannot go on now. */
  async #page(name, sweep2, signal) {
    const { queue, log, flush, onProgress } = this.parts;
    if (sweep2.looked === 0) await this.#begin(sweep2);
    const isCurrent = () => queue.sweeps().some((current) => current.sweep === sweep2);
    if (!isCurrent()) return true;
    let page;
    try {
      page = name === "reconcile" ? await this.parts.reconcile.page(sweep2, isCurrent, signal) : await this.#queueAll(sweep2, isCurrent, signal);
    } catch (error) {
      if (signal.aborted || error instanceof StashTrouble) return true;
      throw error;
    }
    if (!isCurrent()) return true;
    if (page === null || page === "listing") {
      await onProgress(name, sweep2, page === null ? "stuck" : "under way");
      return page === "listing";
    }
    const now = {
      ...sweep2,
      looked: sweep2.looked + page.looked,
      queued: sweep2.queued + page.queued,
      total: sweep2.total ?? page.total,
      found: page.found,
      after: page.last ?? sweep2.after
    };
    const done = page.last === null;
    queue.setSweep(name, done ? null : now);
    if (done && name === "all") queue.dropFanOutsBefore(sweep2.startedAt);
    if (done && name === "reconcile") queue.setMemo("reconciled", this.parts.clock.now());
    await flush();
    if (done) {
      const queued = `Queued ${counted(now.queued, "scene", "scenes")} for a sync.`;
      log.info(name === "reconcile" ? reconciledInWords(now) : queued);
    }
    await onProgress(name, now, done ? "done" : "under way");
    return true;
  }
  /** Once for each pass: it goes by the settings of now, and what Plex's libraries held earlier is not believed. */
  async #begin(sweep2) {
    const { freshSettings, targets } = this.parts;
    if (this.#begun.has(sweep2)) return;
    this.#begun.add(sweep2);
    await freshSettings();
    targets.relist();
  }
  async #queueAll(sweep2, isCurrent, signal) {
    const { queue, targets, stash } = this.parts;
    const { since, after } = sweep2;
    const ask = { after, updatedSince: since === null ? null : new Date(since), limit: pageSize4 };
    const page = await stash.ask((client) => client.sceneIds(ask, signal));
    if (!isCurrent()) return null;
    for (const scene of page.ids) {
      for (const target of targets.names)
        queue.add(target, scene, { bulk: true, asked: true, since: sweep2.startedAt });
    }
    const { length } = page.ids;
    return { looked: length, queued: length, total: page.total, last: page.last, found: {} };
  }
};

// src/worker/targets.ts
var import_node_fs23 = require("node:fs");
var import_node_path14 = require("node:path");

// src/resilience/retry.ts
function ruleFor(kind, flow) {
  if (kind === "transient") {
    const { transientBaseSeconds, transientMaxSeconds, transientTries } = flow;
    return { baseSeconds: transientBaseSeconds, longestSeconds: transientMaxSeconds, tries: transientTries };
  }
  if (kind === "not-in-plex") {
    const { missingBaseSeconds, missingMaxSeconds, missingTries } = flow;
    return { baseSeconds: missingBaseSeconds, longestSeconds: missingMaxSeconds, tries: missingTries };
  }
  return null;
}
var turnMs = 3e4;
var longestTurnMs = 6e5;
var nextTurn = (rounds, now) => now + Math.min(longestTurnMs, turnMs * 2 ** Math.max(0, rounds - 1));
function nextTry(kind, attempts, flow, now, random) {
  const rule = ruleFor(kind, flow);
  if (!rule || attempts + 1 >= rule.tries) return null;
  const seconds = Math.min(rule.longestSeconds, rule.baseSeconds * 2 ** attempts);
  return now + Math.round(random() * seconds * 1e3);
}

// src/resilience/suspicion.ts
var patientRounds = 3;
var Suspicion = class {
  #records = /* @__PURE__ */ new Map();
  /** The server failed while it worked on this job. */
  fault(job2, now, isOverload = false) {
    const before = this.#records.get(job2);
    const wasWell = before !== void 0 && now.well > before.well;
    const rounds = before === void 0 ? 0 : before.rounds + (wasWell ? 1 : 0);
    this.#records.set(job2, { ...now, rounds });
    if (!wasWell) return "not its fault";
    if (isOverload) return rounds <= patientRounds ? "not its fault" : { lastFor: rounds - patientRounds };
    return rounds >= 2 && now.successes > before.successes ? "its fault" : { lastFor: rounds };
  }
  /** The job failed by itself, as far as can be seen. */
  failure(job2, now) {
    const before = this.#records.get(job2);
    this.#records.set(job2, { ...now, rounds: before?.rounds ?? 0 });
    return before === void 0 || now.successes > before.successes ? "its fault" : { lastFor: 1 };
  }
  /** Whether the job's last result was a failure, whoever's fault that was. */
  has(job2) {
    return this.#records.has(job2);
  }
  clear(job2) {
    this.#records.delete(job2);
  }
};

// src/shared/outcome.ts
var serverFaults = [
  "overloaded",
  "server-down",
  "not-authorised",
  "may-not-edit",
  "misconfigured",
  "stash-away"
];
function isServerFault(outcome) {
  return serverFaults.includes(outcome.kind);
}

// src/worker/drain.ts
var lookAgainMs3 = 6e4;
var flushEveryMs = 1e3;
var flushEveryJobs = 100;
var suspiciousMisses = 5;
var Drain = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  #flying = /* @__PURE__ */ new Set();
  #suspicion = new Suspicion();
  /** What a lane could not deal with: the loop rethrows it. */
  #defect = null;
  #hasJudgedDeaths = false;
  #limit = "none";
  #unflushed = 0;
  #flushedAt = 0;
  #misses = 0;
  #successes = 0;
  #probedWell = 0;
  async run(signal) {
    try {
      while (!signal.aborted) await this.#step(signal);
    } finally {
      await Promise.all(this.#flying);
      this.#defect = null;
    }
    await this.#flush();
  }
  async #step(signal) {
    const { target, queue, clock } = this.parts;
    if (this.#defect) throw this.#defect.error;
    const waitMs = this.#waitMs();
    if (waitMs > 0) return await this.#sleep(waitMs, signal);
    await target.kept();
    const pass = target.ask(clock.now());
    if (pass.admit === "nothing") {
      this.#noteLimit(pass);
      return await this.#sleep(pass.nextAt - clock.now(), signal);
    }
    if (pass.admit === "probe") return await this.#probe(signal);
    const { ticket } = pass;
    const job2 = queue.take(target.name, (one) => this.#isPreferred(one, ticket));
    if (job2 === null) return target.giveBack(ticket);
    const isAlone = this.parts.flights.isSuspect(job2.scene);
    if (isAlone) await Promise.all(this.#flying);
    this.#launch(job2, ticket, signal);
    if (isAlone) await Promise.all(this.#flying);
  }
  /** Bulk work that a process died with goes last; the trial should be a job that has not failed. */
  #isPreferred(job2, { isTrial }) {
    if (job2.bulk && this.parts.flights.isSuspect(job2.scene)) return false;
    return !isTrial || !isRetried(job2) && !this.#suspicion.has(letterOf(job2));
  }
  /** 0: something is to be done, if the gate allows it. */
  #waitMs() {
    const { target, queue, stash, clock } = this.parts;
    if (queue.isPaused || target.missing !== null) return lookAgainMs3;
    this.#judgeDeaths();
    if (target.wantsProbe) return 0;
    const now = clock.now();
    const nextAt = queue.nextAt(target.name);
    if (target.wantsTrial && (nextAt ?? Number.POSITIVE_INFINITY) > now) target.nothingToTry();
    return nextAt === null ? lookAgainMs3 : Math.max(nextAt, stash.retryAt) - now;
  }
  async #sleep(ms, signal) {
    const { bell, clock } = this.parts;
    const isIdle = ms > flushEveryMs && this.#flying.size === 0;
    if (this.#unflushed > 0 && (isIdle || this.#isFlushDue())) await this.#flush();
    await bell.wait(Math.min(ms, this.#unflushed > 0 ? flushEveryMs : lookAgainMs3), clock, signal);
  }
  #noteLimit({ limitedBy, reason }) {
    if (limitedBy === this.#limit || limitedBy === "lanes") return;
    this.#limit = limitedBy;
    this.parts.log.debug(`Held back (${limitedBy}): ${reason}`);
  }
  async #probe(signal) {
    const { target, queue, clock, onNews } = this.parts;
    const nextAt = queue.nextAt(target.name);
    const found = await target.probe(nextAt !== null && nextAt <= clock.now(), signal);
    if (found === "well") this.#probedWell++;
    await target.kept();
    onNews();
  }
  #launch(job2, ticket, signal) {
    const flight = this.#work(job2, ticket, signal).catch((error) => {
      if (!signal.aborted) this.#defect ??= { error };
    }).finally(() => {
      this.#flying.delete(flight);
      this.parts.bell.ring();
    });
    this.#flying.add(flight);
  }
  async #work(job2, ticket, signal) {
    const { target, queue, stash, flights } = this.parts;
    let outcome;
    flights.took(job2.scene);
    try {
      outcome = await target.sync(job2, ticket, stash, signal);
    } catch (error) {
      flights.landed(job2.scene, false);
      const isOurs = !signal.aborted && !isFileError(error) && !(error instanceof LeaseLost);
      queue.settle(job2, isOurs ? this.#judge(job2, defectOf(job2, error)) : { kind: "back" });
      throw error;
    }
    const verdict = this.#judge(job2, outcome);
    flights.landed(job2.scene, verdict.kind !== "back");
    queue.settle(job2, verdict);
    this.#unflushed++;
    if (this.#isFlushDue() || this.#unflushed >= flushEveryJobs) await this.#flush();
  }
  #judge(job2, outcome) {
    const { log, target } = this.parts;
    const letter = letterOf(job2);
    if (outcome.kind === "listing") return { kind: "back" };
    if (outcome.kind === "transient") {
      const judgement = this.#suspicion.failure(letter, this.#seen(outcome));
      if (judgement === "its fault" && target.isClosed) {
        return this.#tryAgainOrGiveUp(job2, "transient", outcome.message);
      }
      return this.#letOthersGoFirst(judgement === "its fault" ? 1 : judgement.lastFor, outcome.message);
    }
    if (isServerFault(outcome)) {
      const { kind, message } = outcome;
      const judgement = this.#suspicion.fault(letter, this.#seen(outcome), kind === "overloaded");
      if (judgement === "its fault" && target.isClosed)
        return this.#tryAgainOrGiveUp(job2, "transient", message);
      log.debug(`Scene ${job2.scene} waits: ${message}`);
      if (judgement === "not its fault" || judgement === "its fault") return { kind: "back" };
      return this.#letOthersGoFirst(judgement.lastFor, message);
    }
    if (outcome.kind === "not-in-plex" || outcome.kind === "bad-data") {
      if (outcome.kind === "not-in-plex") this.#noteMiss(outcome.message);
      return this.#tryAgainOrGiveUp(job2, outcome.kind, outcome.message);
    }
    if (outcome.kind === "filtered" && outcome.rule === "not-in-plex") this.#noteMiss(outcome.message);
    this.#settled(job2, outcome);
    if (outcome.kind === "filtered") return { kind: "done", filteredBy: outcome.rule };
    if (outcome.kind !== "gone" && outcome.displaced !== void 0) {
      this.parts.queue.add(target.name, outcome.displaced, { bulk: true, asked: true });
    }
    if (outcome.kind !== "gone" && outcome.lookAgain && !job2.secondLook) {
      return { kind: "later", at: this.parts.clock.now() + target.flow.coverSeconds * 1e3 };
    }
    return { kind: "done" };
  }
  #settled(job2, outcome) {
    const { log, deadLetters, notices, target } = this.parts;
    const letter = letterOf(job2);
    const isNews = outcome.kind === "ok" || outcome.kind === "filtered" && !job2.bulk;
    if (isNews) log.info(outcome.message);
    else log.debug("message" in outcome ? outcome.message : `Scene ${job2.scene}: ${outcome.kind}.`);
    if (outcome.kind === "ok") this.#successes++;
    this.#suspicion.clear(letter);
    if (deadLetters.get(letter)) {
      deadLetters.delete(letter);
      if (!hasLettersOf(deadLetters, target.name)) notices.say("given-up", null);
    }
    if (target.ledger.size > 0) notices.say("paths", null);
  }
  #tryAgainOrGiveUp(job2, kind, message) {
    const { log, target, clock, random } = this.parts;
    const at = nextTry(kind, job2.attempts, target.flow, clock.now(), random);
    if (at === null) return this.#giveUp(job2, kind, message);
    log.info(`${message} Trying again at ${timeBeside(at, clock.now())}.`);
    return { kind: "retry", at, reason: message, charged: true };
  }
  #giveUp(job2, kind, reason) {
    const { deadLetters, notices, clock } = this.parts;
    const { target, scene, attempts } = job2;
    notices.say("given-up", `Gave up on scene ${scene}: ${reason}`);
    deadLetters.put(letterOf(job2), { target, scene, kind, reason, attempts: attempts + 1, at: clock.now() });
    return { kind: "failed" };
  }
  #letOthersGoFirst(rounds, reason) {
    return { kind: "retry", at: nextTurn(rounds, this.parts.clock.now()), reason, charged: false };
  }
  /** What several processes in a row died with is given up. */
  #judgeDeaths() {
    if (this.#hasJudgedDeaths) return;
    this.#hasJudgedDeaths = true;
    const { target, queue, flights, log } = this.parts;
    for (const scene of flights.suspects) {
      const job2 = queue.job(target.name, scene);
      if (!job2) continue;
      const deaths = flights.deaths(scene);
      if (deaths < target.flow.deaths) {
        log.debug(`The worker before died while it was sending scene ${scene}. It goes alone.`);
        continue;
      }
      const reason = `The worker died ${deaths} times in a row while it was sending scene ${scene}. worker.log may say why. Edit the scene, or run "Sync all scenes", to try it again.`;
      queue.settle(job2, this.#giveUp(job2, "killed-worker", reason));
      this.#unflushed++;
    }
  }
  /** What was seen of the server that this outcome speaks of. */
  #seen({ kind }) {
    const successes = this.#successes;
    return {
      well: kind === "stash-away" ? this.parts.stash.answered : this.#probedWell + successes,
      successes
    };
  }
  /** The commonest mistake is a path map that is missing or wrong: it is told as soon as it can be suspected. */
  #noteMiss(message) {
    if (this.parts.target.ledger.size > 0 || ++this.#misses !== suspiciousMisses) return;
    this.parts.notices.say("paths", `Not one scene was found in Plex so far. For example: ${message}`);
  }
  #isFlushDue() {
    return Math.abs(this.parts.clock.now() - this.#flushedAt) >= flushEveryMs;
  }
  async #flush() {
    await this.parts.flush();
    if (this.#unflushed > 0) this.parts.onNews();
    this.#unflushed = 0;
    this.#flushedAt = this.parts.clock.now();
  }
};
var letterOf = ({ target, scene }) => `${target}/${scene}`;
var defectOf = ({ scene }, error) => ({
  kind: "transient",
  message: `Scene ${scene} was not synced because of a defect in Sluice (${messageOf(error)}). worker.log says where.`
});

// src/worker/flight-log.ts
var import_node_fs21 = require("node:fs");
var schema = object({
  inFlight: array(number()),
  /** How many deaths in a row each scene was in flight at. */
  deaths: record(string(), number())
});
var FlightLog = class {
  #fd;
  #inFlight = /* @__PURE__ */ new Set();
  #deaths = /* @__PURE__ */ new Map();
  #length = 0;
  constructor(path) {
    const { inFlight, deaths } = read2(path);
    for (const [scene, count4] of Object.entries(deaths)) this.#deaths.set(Number(scene), count4);
    for (const scene of inFlight) this.#deaths.set(scene, this.deaths(scene) + 1);
    this.#fd = (0, import_node_fs21.openSync)(path, "w", privateFile);
    this.#write();
  }
  /** Whether a process died with this scene in flight, and it has not finished since. */
  isSuspect(scene) {
    return this.#deaths.has(scene);
  }
  /** How many processes in a row died with this scene in flight. */
  deaths(scene) {
    return this.#deaths.get(scene) ?? 0;
  }
  /** The scenes that a process died with and that have not finished since. */
  get suspects() {
    return [...this.#deaths.keys()];
  }
  took(scene) {
    this.#inFlight.add(scene);
    this.#write();
  }
  /** `finished`: it came to an end of its own, so that the worker gets on. */
  landed(scene, finished2) {
    this.#inFlight.delete(scene);
    if (finished2) {
      this.#deaths.delete(scene);
      for (const other of this.#deaths.keys()) this.#deaths.set(other, 0);
    }
    this.#write();
  }
  close() {
    (0, import_node_fs21.closeSync)(this.#fd);
  }
  #write() {
    const text2 = JSON.stringify({
      inFlight: [...this.#inFlight],
      deaths: Object.fromEntries(this.#deaths)
    });
    const bytes = Buffer.from(text2.padEnd(this.#length));
    try {
      (0, import_node_fs21.writeSync)(this.#fd, bytes, 0, bytes.length, 0);
      if (text2.length < this.#length) (0, import_node_fs21.ftruncateSync)(this.#fd, text2.length);
      this.#length = text2.length;
    } catch {
    }
  }
};
function read2(path) {
  try {
    return parse2(schema, JSON.parse((0, import_node_fs21.readFileSync)(path, "utf8")));
  } catch {
    return { inFlight: [], deaths: {} };
  }
}

// src/worker/server-words.ts
var fields2 = {
  "Plex address": "url",
  "Plex token": "token",
  "Plex libraries": "libraries",
  "Path map": "pathMap",
  "Trust any Plex certificate": "trustAnyCertificate"
};
function inServersFile(server, sentence2) {
  return sentence2.replace(
    /"(Plex address|Plex token|Plex libraries|Path map|Trust any Plex certificate)"( in the settings)?/g,
    (_, label) => `"${fields2[label]}" of "${server}" in ${serversFileName}`
  );
}

// src/worker/target.ts
var import_node_fs22 = require("node:fs");
var import_node_path13 = require("node:path");

// src/plex/answers.ts
var text = optional(string(), "");
var id = pipe(union([string(), number()]), transform(String));
var numeric = optional(
  pipe(
    union([number(), string()]),
    transform((value) => value === "" || Number.isNaN(Number(value)) ? null : Number(value))
  )
);
var yes = pipe(
  optional(union([boolean(), number(), string()]), false),
  transform((value) => value === true || Number(value) === 1)
);
var list = (of) => optional(array(of), []);
var tags = pipe(
  list(object({ tag: string() })),
  transform((found) => found.map(({ tag }) => tag))
);
var metadata = object({
  ratingKey: id,
  librarySectionID: optional(id, ""),
  librarySectionTitle: text,
  title: text,
  titleSort: text,
  summary: text,
  tagline: text,
  studio: text,
  contentRating: text,
  originallyAvailableAt: text,
  userRating: numeric,
  Role: tags,
  Director: tags,
  Genre: tags,
  Label: tags,
  Collection: tags,
  thumb: text,
  art: text,
  Field: list(object({ name: string(), locked: yes })),
  updatedAt: numeric,
  Media: list(object({ Part: list(object({ file: text })) }))
});
var serverAnswer = object({
  MediaContainer: object({ friendlyName: text, version: text, machineIdentifier: string() })
});
var librariesAnswer = object({
  MediaContainer: object({
    Directory: list(
      object({
        key: id,
        title: string(),
        type: string(),
        Location: list(object({ path: string() }))
      })
    )
  })
});
var itemsAnswer = object({
  MediaContainer: object({
    totalSize: optional(number()),
    librarySectionID: optional(id, ""),
    librarySectionTitle: text,
    Metadata: list(unknown())
  })
});
var imagesAnswer = object({
  MediaContainer: object({
    Metadata: list(object({ ratingKey: text, selected: yes }))
  })
});
function parseServer(json) {
  const { friendlyName, version: version2, machineIdentifier } = parse2(serverAnswer, json).MediaContainer;
  return { name: friendlyName, version: version2, machineIdentifier };
}
function parseLibraries(json) {
  return parse2(librariesAnswer, json).MediaContainer.Directory.map(({ key: key2, title, type, Location: Location2 }) => ({
    key: key2,
    title,
    type,
    locations: Location2.map(({ path }) => path)
  }));
}
function parsePage(json) {
  const container = parse2(itemsAnswer, json).MediaContainer;
  const items = container.Metadata.flatMap((found) => {
    const read3 = safeParse(metadata, found);
    return read3.success ? itemOf(read3.output, container) : [];
  });
  const sent = container.Metadata.length;
  return { items, total: container.totalSize ?? sent, sent };
}
function parseItem(json, ratingKey) {
  const container = parse2(itemsAnswer, json).MediaContainer;
  const items = container.Metadata.map((found) => itemOf(parse2(metadata, found), container));
  return items.find((item) => item.ratingKey === ratingKey) ?? null;
}
var itemOf = (found, container) => ({
  ratingKey: found.ratingKey,
  sectionKey: found.librarySectionID || container.librarySectionID,
  library: found.librarySectionTitle || container.librarySectionTitle,
  files: found.Media.flatMap(({ Part }) => Part.map(({ file }) => file)).filter((file) => file !== ""),
  title: found.title,
  titleSort: found.titleSort,
  summary: found.summary,
  tagline: found.tagline,
  studio: found.studio,
  contentRating: found.contentRating,
  originallyAvailableAt: found.originallyAvailableAt.slice(0, 10),
  userRating: found.userRating ?? null,
  actors: found.Role,
  directors: found.Director,
  genres: found.Genre,
  labels: found.Label,
  collections: found.Collection,
  thumb: found.thumb,
  art: found.art,
  locked: found.Field.filter(({ locked: locked2 }) => locked2).map(({ name }) => name),
  updatedAt: found.updatedAt ?? 0
});
function parseImages(json) {
  return parse2(imagesAnswer, json).MediaContainer.Metadata.map(({ ratingKey, selected }) => ({ key: ratingKey, selected }));
}

// src/plex/retry-after.ts
var longestMs = 864e5;
var httpDate = /^[A-Z][a-z]{2,8},? (\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;
function parseRetryAfter(header, now) {
  const text2 = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text2)) return Math.min(Number(text2) * 1e3, longestMs);
  if (!httpDate.test(text2)) return null;
  const at = Date.parse(text2.endsWith("GMT") ? text2 : `${text2} GMT`);
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), longestMs);
}

// src/plex/request.ts
var PlexRequests = class {
  #options;
  #timeoutMs;
  #clock;
  constructor(options) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 3e4;
    this.#clock = options.clock ?? systemClock;
  }
  /** The document of an answer that says yes. */
  async get(request4, parse4, signal) {
    const { body, contentType } = await this.send("GET", request4, signal);
    if (!/\bjson\b/i.test(contentType)) throw unreadable(contentType || "something without a type");
    try {
      return parse4(JSON.parse(body));
    } catch (error) {
      throw unreadable(error instanceof SyntaxError ? "broken JSON" : "JSON of another shape", error);
    }
  }
  /** The body of an answer that says yes. */
  async send(method, request4, signal) {
    const query2 = request4.params ? `?${queryString(request4.params)}` : "";
    const headers = { ...this.#headers(), ...request4.headers };
    const init = { method, headers, body: request4.body ?? null, redirect: "manual" };
    const url = this.#address() + request4.path + query2;
    const timeoutMs = this.#timeoutMs * (request4.patience ?? 1);
    const startedAt = this.#clock.now();
    const report = (end, retryAfterMs2) => {
      if (request4.call === null) return;
      if (request4.untimed && end === "answered" && retryAfterMs2 === null) return;
      const ms = Math.max(0, this.#clock.now() - startedAt);
      this.#options.onCall?.({ kind: request4.call, startedAt, ms, end, retryAfterMs: retryAfterMs2 });
    };
    const { response, body } = await this.#exchange(url, init, timeoutMs, signal).catch((error2) => {
      if (error2 instanceof PlexError) report("failed", null);
      throw error2;
    });
    const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), this.#clock.now());
    if (response.ok) {
      report("answered", retryAfterMs);
      return { body, contentType: response.headers.get("content-type") ?? "" };
    }
    const redirectsTo = originOf(response.headers.get("location"));
    const error = errorForStatus(response.status, request4.subject, { retryAfterMs, redirectsTo });
    report(endOf2(error), retryAfterMs);
    throw error;
  }
  /** One request and its whole answer within the time limit. */
  async #exchange(url, init, timeoutMs, signal) {
    try {
      return await withDeadline(timeoutMs, this.#clock, signal, async (deadline) => {
        const response = await this.#options.fetch(url, { ...init, signal: deadline });
        const body = response.ok ? await response.text() : await response.text().catch(() => "");
        signal.throwIfAborted();
        return { response, body };
      });
    } catch (error) {
      signal.throwIfAborted();
      const why = describeNetworkError(error);
      const hint = why.includes("certificate") ? ' Correct it, or turn on "Trust any Plex certificate".' : "";
      throw new PlexError("server-down", `Plex is not answering (${why}).${hint}`);
    }
  }
  #address() {
    if (!URL.canParse(this.#options.url)) {
      throw new PlexSettingsError(
        'The address of Plex cannot be read. Correct "Plex address" in the settings, for example http://192.168.1.10:32400.'
      );
    }
    const { origin, pathname } = new URL(this.#options.url);
    return origin + pathname.replace(/\/+$/, "");
  }
  #headers() {
    const { token: token2, clientIdentifier, version: version2 } = this.#options;
    if (!/^[\x21-\x7e]+$/.test(token2)) {
      throw new PlexSettingsError(
        'The token of Plex is empty or has characters that no token has. Correct "Plex token" in the settings.'
      );
    }
    return {
      Accept: "application/json",
      "X-Plex-Token": token2,
      "X-Plex-Client-Identifier": clientIdentifier,
      "X-Plex-Product": "Sluice",
      "X-Plex-Version": version2,
      "X-Plex-Platform": "Node.js",
      "X-Plex-Device": "Stash",
      "X-Plex-Device-Name": "Sluice"
    };
  }
};
function unreadable(what, cause) {
  return new PlexError(
    "transient",
    `Plex answered with ${what} where a document of its own was expected. If this stays, check that "Plex address" in the settings is the address of Plex.`,
    { cause }
  );
}
function endOf2({ kind }) {
  if (kind === "overloaded") return "overloaded";
  return kind === "server-down" ? "failed" : "answered";
}
function originOf(location) {
  return location && URL.canParse(location) ? new URL(location).origin : null;
}

// src/plex/client.ts
var typeFilm = "1";
var typesIn = /* @__PURE__ */ new Map([
  ["movie", typeFilm],
  ["show", "2"],
  ["artist", "8"],
  ["photo", "13"]
]);
var orders = { id: "id:asc", newest: "updatedAt:desc" };
var uploadPatience = 3;
var pageSize5 = 500;
var PlexClient = class {
  #requests;
  constructor(options) {
    this.#requests = new PlexRequests(options);
  }
  /** Whether Plex is ready and takes the token: while it starts this is answered with 503. */
  probe(signal) {
    return this.#requests.get({ subject: "server", path: "/", call: null }, parseServer, signal);
  }
  libraries(signal) {
    return this.#requests.get(
      { subject: "server", path: "/library/sections", call: "read" },
      parseLibraries,
      signal
    );
  }
  /** How many items a library has; `type` is the library's. */
  async count(sectionKey, signal, type = "movie") {
    const path = allOf(sectionKey);
    const known3 = typesIn.get(type);
    const params = known3 === void 0 ? [] : [["type", known3]];
    const headers = pageHeaders(0, 0);
    const request4 = { subject: "library", path, params, headers, call: "listing" };
    return (await this.#requests.get(request4, parsePage, signal)).total;
  }
  /**
   * Films whose path contains `fragment`. Tags in it are truncated, and Plex takes a comma in `fragment` for
   * "or": the caller avoids commas and compares the files itself.
   */
  async findByFile(sectionKey, fragment, signal) {
    const path = allOf(sectionKey);
    const params = [
      ["type", typeFilm],
      ["file", fragment]
    ];
    const found = [];
    for (let start = 0; ; ) {
      const headers = pageHeaders(start, pageSize5);
      const request4 = { subject: "library", path, params, headers, call: "listing" };
      const page = await this.#requests.get(request4, parsePage, signal);
      found.push(...page.items);
      start += page.sent;
      if (page.sent === 0 || start >= page.total) return found;
    }
  }
  /** One page of a library's films, which may be shorter than asked for. Tags in it are truncated. */
  async page(sectionKey, wanted, signal) {
    const { start, size, updatedSince, order } = wanted;
    const params = [["type", typeFilm]];
    if (updatedSince !== void 0) params.push(["updatedAt>>", String(updatedSince)]);
    if (order !== void 0) params.push(["sort", orders[order]]);
    const path = allOf(sectionKey);
    const headers = pageHeaders(start, size);
    const request4 = {
      subject: "library",
      path,
      params,
      headers,
      call: "listing",
      untimed: true
    };
    return await this.#requests.get(request4, parsePage, signal);
  }
  /** One item with all its tags, or null if Plex has none with this key. */
  async item(ratingKey, signal) {
    const path = itemPath(ratingKey);
    const params = [["skipRefresh", "1"]];
    try {
      const request4 = { subject: "item", path, params, call: "read" };
      return await this.#requests.get(request4, (json) => parseItem(json, ratingKey), signal);
    } catch (error) {
      if (error instanceof PlexError && error.status === 404) return null;
      throw error;
    }
  }
  /** Sets fields of exactly one item. The parameters are Plex's own (`title.value`, `genre[0].tag.tag`, ...). */
  async edit(sectionKey, ratingKey, params, signal) {
    const path = allOf(sectionKey);
    const which = [
      ["type", typeFilm],
      ["id", number2(ratingKey, "item")]
    ];
    const request4 = { subject: "edit", path, params: [...which, ...params], call: "edit" };
    await this.#requests.send("PUT", request4, signal);
  }
  /** The pictures that an item can choose from. */
  async images(ratingKey, kind, signal) {
    const path = `${itemPath(ratingKey)}/${kind}s`;
    return await this.#requests.get({ subject: "picture", path, call: "read" }, parseImages, signal);
  }
  /** Adds a picture to those of one item, and shows it. Plex names it after the SHA-1 of its bytes. */
  async upload(ratingKey, kind, bytes, signal) {
    const path = `${itemPath(ratingKey)}/${kind}s`;
    const body = new Uint8Array(bytes);
    await this.#requests.send(
      "POST",
      { subject: "picture", path, body, patience: uploadPatience, call: "upload" },
      signal
    );
  }
  /** Shows a picture that the item has; `key` as `images` says it. */
  async select(ratingKey, kind, key2, signal) {
    const path = `${itemPath(ratingKey)}/${kind}`;
    const params = [["url", key2]];
    await this.#requests.send("PUT", { subject: "picture", path, params, call: "edit" }, signal);
  }
  /** Asks for a scan of one folder. Plex answers before it scans, and ignores a folder that is in no library. */
  async scan(sectionKey, folder, signal) {
    const path = `/library/sections/${number2(sectionKey, "library")}/refresh`;
    if (folder === "")
      throw new PlexError("bad-data", "A scan was asked for without a folder. Nothing was sent.");
    await this.#requests.send(
      "GET",
      { subject: "library", path, params: [["path", folder]], call: "read" },
      signal
    );
  }
};
function number2(key2, what) {
  if (/^\d+$/.test(key2)) return key2;
  throw new PlexError("bad-data", `"${key2}" is no key of a Plex ${what}. Nothing was sent.`);
}
var itemPath = (ratingKey) => `/library/metadata/${number2(ratingKey, "item")}`;
var pageHeaders = (start, size) => ({
  "X-Plex-Container-Start": String(start),
  "X-Plex-Container-Size": String(size)
});
var allOf = (sectionKey) => `/library/sections/${number2(sectionKey, "library")}/all`;

// src/plex/listed-items.ts
var ListedItems = class {
  #entries = /* @__PURE__ */ new Map();
  #byPath = new Keys();
  /** Made when it is first asked for; null: to be made again. May hold keys of items that have gone since. */
  #byName = null;
  get size() {
    return this.#entries.size;
  }
  put({ ratingKey, title, files, updatedAt }, shelf, pass) {
    const old = this.#entries.get(ratingKey);
    if (old?.shelf === shelf && sameList(old.files, files)) {
      Object.assign(old, { title, updatedAt, pass });
      return;
    }
    this.forget(ratingKey);
    this.#entries.set(ratingKey, { shelf, title, files: files.slice(), updatedAt, pass });
    shelf.held += 1;
    for (const file of files) this.#byPath.add(hashOf(file), ratingKey);
    this.#byName = null;
  }
  forget(ratingKey) {
    const entry3 = this.#entries.get(ratingKey);
    if (!entry3) return;
    this.#entries.delete(ratingKey);
    entry3.shelf.held -= 1;
    for (const file of entry3.files) this.#byPath.delete(hashOf(file), ratingKey);
  }
  /** Forgets what the given pass over the library has not seen; without one, all of it. */
  sweep(shelf, pass) {
    for (const [ratingKey, entry3] of this.#entries) {
      if (entry3.shelf === shelf && entry3.pass !== pass) this.forget(ratingKey);
    }
  }
  find(path) {
    return this.#listed(this.#byPath.get(hashOf(path)), (file) => samePath(file, path));
  }
  findByName(path) {
    this.#byName ??= this.#namesOfAll();
    return this.#listed(this.#byName.get(nameKey(path)), (file) => sameName(file, path));
  }
  item(ratingKey) {
    return this.#listed([ratingKey], () => true)[0] ?? null;
  }
  #listed(keys3, test) {
    return keys3.flatMap((ratingKey) => {
      const entry3 = this.#entries.get(ratingKey);
      const file = entry3?.files.find(test);
      if (!entry3 || file === void 0) return [];
      const { shelf, title, updatedAt } = entry3;
      return { ratingKey, title, library: shelf.title, sectionKey: shelf.key, file, updatedAt };
    });
  }
  #namesOfAll() {
    const names3 = new Keys();
    for (const [ratingKey, { files }] of this.#entries) {
      for (const file of files) names3.add(nameKey(file), ratingKey);
    }
    return names3;
  }
};
var Keys = class {
  #map = /* @__PURE__ */ new Map();
  get(of) {
    return [this.#map.get(of) ?? []].flat();
  }
  add(of, ratingKey) {
    const known3 = this.get(of);
    if (!known3.includes(ratingKey)) this.#map.set(of, known3.length === 0 ? ratingKey : [...known3, ratingKey]);
  }
  delete(of, ratingKey) {
    const others = this.get(of).filter((key2) => key2 !== ratingKey);
    if (others.length === 0) this.#map.delete(of);
    else this.#map.set(of, others);
  }
};
var hashOf = (path) => shortHash(pathKey(path));
var sameList = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

// src/plex/item-index.ts
var defaultBelievedMs = 6e5;
var rebuiltAfterMs = 864e5;
var pageSize6 = 500;
var overlapSeconds = 2;
var ItemIndex = class {
  #options;
  #sections = /* @__PURE__ */ new Map();
  #items = new ListedItems();
  #readyAt = null;
  /** When it was begun to be fetched or refreshed. */
  #begunAt = null;
  /** Pages in a row that Plex failed to give. */
  #failures = 0;
  #leftAloneAt = null;
  #running = null;
  #pages = 0;
  #passes = 0;
  /** Whether this server takes orders that Plex does not advertise. */
  #takesOrders = true;
  constructor(options) {
    this.#options = { believedMs: defaultBelievedMs, ...options };
  }
  /** How many items it holds. */
  get size() {
    return this.#items.size;
  }
  /** Whether it is whole, and fresh enough to be believed without asking. */
  isReady() {
    if (this.#readyAt === null) return false;
    const age = this.#options.clock.now() - this.#readyAt;
    return age >= 0 && age < this.#options.believedMs;
  }
  /** Whether it is worth trying to fetch it. */
  isUsable() {
    const { clock, believedMs: believedMs2 } = this.#options;
    return this.#leftAloneAt === null || Math.abs(clock.now() - this.#leftAloneAt) >= believedMs2;
  }
  /** Plex did not give a page. Twice in a row, and it is left alone for as long as a listing would be believed. */
  failed() {
    this.#failures++;
    if (this.#failures >= 2) this.#leftAloneAt = this.#options.clock.now();
  }
  /** Whether what Plex had at that instant would be in it. */
  knows(at) {
    return this.isReady() && this.#begunAt !== null && this.#begunAt >= at;
  }
  /** It is to be refreshed before it is believed again. */
  expire() {
    this.#readyAt = null;
    this.#begunAt = null;
    this.#pages = 0;
    for (const section of this.#sections.values()) {
      if (section.step === "build") section.isStale = true;
      else section.step = "look";
    }
  }
  /**
   * Makes the next request that is missing; true: it is ready now. Whoever calls while one is under way gets that
   * one's result.
   */
  async advance(libraries2, signal) {
    while (this.#running) {
      const shared = await this.#running.catch((error) => {
        if (error instanceof PlexError) throw error;
        return null;
      });
      signal.throwIfAborted();
      if (shared !== null) return shared;
    }
    this.#running = this.#advance(libraries2, signal).finally(() => {
      this.#running = null;
    });
    return await this.#running;
  }
  /** How far it is with being fetched; `of` is a guess as long as a library was not looked at. */
  progress() {
    const missing = [...this.#sections.values()].reduce((sum2, section) => sum2 + missingPages(section), 0);
    return { pages: this.#pages, of: this.#pages + missing };
  }
  /** The items that have this file. */
  find(path) {
    return this.#items.find(path);
  }
  /** The items that have a file of this name; of a path only the last name counts. */
  findByName(name) {
    return this.#items.findByName(name);
  }
  item(ratingKey) {
    return this.#items.item(ratingKey);
  }
  /** Plex has it no more, or not with these files. */
  forget(ratingKey) {
    this.#items.forget(ratingKey);
  }
  async #advance(libraries2, signal) {
    this.#follow(libraries2);
    if (this.isReady()) return true;
    if (this.#readyAt !== null) this.expire();
    this.#begunAt ??= this.#options.clock.now();
    const next2 = this.#unfinished();
    if (next2) await this.#fetch(next2, signal);
    this.#failures = 0;
    if (this.#unfinished()) return false;
    this.#readyAt = this.#options.clock.now();
    return true;
  }
  #unfinished() {
    return [...this.#sections.values()].find(({ step }) => step !== "done");
  }
  /** New libraries begin empty, and what was in one that has gone goes. */
  #follow(libraries2) {
    for (const { key: key2, title } of libraries2) {
      const known3 = this.#sections.get(key2);
      if (known3) known3.title = title;
      else {
        this.#sections.set(key2, newSection(key2, title));
        this.#readyAt = null;
      }
    }
    for (const [key2, section] of this.#sections) {
      if (libraries2.some((library) => library.key === key2)) continue;
      this.#sections.delete(key2);
      this.#items.sweep(section);
    }
  }
  async #fetch(section, signal) {
    const { step, start, knownTo } = section;
    if (step === "look") {
      this.#looked(section, await this.#page(section, { start: 0, size: 1, order: "newest" }, signal));
      return;
    }
    const since = step === "changes" ? { updatedSince: Math.max(0, (knownTo ?? 0) - overlapSeconds) } : {};
    const page = await this.#page(section, { start, size: pageSize6, order: "id", ...since }, signal);
    for (const item of page.items) this.#items.put(item, section, section.build.pass);
    if (section.step !== step) return;
    section.start += page.sent;
    section.total = page.total;
    if (page.sent > 0 && section.start < page.total) return;
    if (step === "build") this.#built(section);
    else this.#refreshed(section);
  }
  async #page(section, wanted, signal) {
    const { order: _, ...unordered } = wanted;
    try {
      const asked = this.#takesOrders ? wanted : unordered;
      const page = await this.#options.client.page(section.key, asked, signal);
      this.#pages += 1;
      return page;
    } catch (error) {
      if (!this.#takesOrders || !(error instanceof PlexError) || error.status !== 400) throw error;
      this.#takesOrders = false;
      return await this.#page(section, wanted, signal);
    }
  }
  #looked(section, { items, total }) {
    const now = this.#options.clock.now();
    section.counted = total;
    section.lookedTo = Math.min(items[0]?.updatedAt ?? 0, Math.floor(now / 1e3));
    const age = now - section.build.at;
    if (section.knownTo === null || age < 0 || age >= rebuiltAfterMs) this.#beginBuild(section, false);
    else Object.assign(section, { step: "changes", start: 0, total: 0 });
  }
  #beginBuild(section, isSecondTry) {
    this.#passes += 1;
    section.step = "build";
    section.start = 0;
    section.total = section.counted;
    section.build = { pass: this.#passes, isSecondTry, at: this.#options.clock.now() };
  }
  #built(section) {
    const { build, total, counted: counted2 } = section;
    this.#items.sweep(section, build.pass);
    const isSound = total >= counted2 && total === section.held;
    if (!isSound && !build.isSecondTry) {
      this.#beginBuild(section, true);
      return;
    }
    section.unlisted = total - section.held;
    this.#finish(section);
  }
  #refreshed(section) {
    if (section.counted === section.held + section.unlisted) this.#finish(section);
    else this.#beginBuild(section, false);
  }
  #finish(section) {
    section.knownTo = section.lookedTo;
    section.step = section.isStale ? "look" : "done";
    section.isStale = false;
  }
};
var newSection = (key2, title) => ({
  key: key2,
  title,
  held: 0,
  step: "look",
  start: 0,
  total: 0,
  counted: 0,
  lookedTo: 0,
  knownTo: null,
  unlisted: 0,
  build: { pass: 0, isSecondTry: false, at: 0 },
  isStale: false
});
function missingPages({ step, start, total }) {
  if (step === "done") return 0;
  if (step === "look") return 2;
  return Math.max(1, Math.ceil((total - start) / pageSize6));
}

// src/plex/library-choice.ts
var holdsFilms = (library) => library.type === "movie";
var sameName2 = (a, b) => a.trim().toLowerCase() === b.trim().toLowerCase();
function chooseLibraries(libraries2, names3) {
  const usable2 = libraries2.filter(holdsFilms);
  if (usable2.length === 0) {
    return {
      chosen: [],
      problem: "Plex has no library that holds films or other videos. Add one in Plex."
    };
  }
  if (names3.length === 0) return { chosen: usable2, problem: null };
  const unknown2 = names3.filter((name) => !usable2.some(({ title }) => sameName2(title, name)));
  return {
    chosen: usable2.filter(({ title }) => names3.some((name) => sameName2(title, name))),
    problem: unknown2.length === 0 ? null : describeUnknown(unknown2, usable2)
  };
}
var isChosen = (title, names3) => names3.length === 0 || title === "" || names3.some((name) => sameName2(title, name));
var quoted2 = (names3) => names3.map((name) => `"${name}"`).join(", ");
function describeUnknown(unknown2, usable2) {
  const has = quoted2(usable2.map(({ title }) => title));
  return `"Plex libraries" in the settings names ${quoted2(unknown2)}, but the libraries of films and other videos that Plex has are ${has}.`;
}

// src/plex/finder.ts
var believedMs = 6e5;
var believedWithProblemMs = 6e4;
var PlexFinder = class {
  rules;
  index;
  #options;
  #known = null;
  constructor(options) {
    this.rules = options.rules;
    this.index = new ItemIndex({ client: options.client, clock: options.clock });
    this.#options = options;
  }
  /** A path of Stash as Plex sees it. */
  mapped(path) {
    return mapPath(path, this.rules);
  }
  /** Whether this item is one of these files (as Plex sees them), in a library that the person chose. */
  matches(item, files) {
    return isChosen(item.library, this.#options.libraries) && fileOf(item, files, samePath) !== void 0;
  }
  /** The same for the name of a file, wherever it is. Says nothing about other items of that name. */
  matchesName(item, files) {
    return isChosen(item.library, this.#options.libraries) && fileOf(item, files, sameName) !== void 0;
  }
  /** What is wrong with the chosen libraries, as far as is known; null also before Plex was first asked. */
  libraryProblem() {
    return this.#known?.problem ?? null;
  }
  /** The folders of the chosen libraries, as far as they are known. */
  folders() {
    return this.#known?.chosen.flatMap(({ locations }) => locations) ?? [];
  }
  /**
   * The items that are one of these files (as Plex sees them): none, the one, or several. `byIndex`: whether to look
   * into the index, which knows nothing of what came to Plex since it was refreshed.
   */
  find(files, signal, byIndex = this.index.isReady()) {
    return this.#inLibraries(
      signal,
      async (libraries2) => byIndex ? this.#findInIndex(files) : await this.#ask(files, libraries2, signal)
    );
  }
  /** Fetches the next part of the index that is missing; true: it is ready now. */
  advance(signal) {
    return this.#inLibraries(signal, (libraries2) => this.index.advance(libraries2, signal));
  }
  async #inLibraries(signal, work) {
    try {
      return await work(await this.libraries(signal));
    } catch (error) {
      if (!(error instanceof PlexError) || error.status !== 404) throw error;
      this.#known = null;
      return await work(await this.libraries(signal));
    }
  }
  #findInIndex(files) {
    const byPath = onePerItem(files.flatMap((file) => this.index.find(file)));
    if (byPath.length > 0) return byPath.map((hit) => candidate(hit, false));
    return this.#byName(() => files.flatMap((file) => this.index.findByName(file)));
  }
  async #ask(files, libraries2, signal) {
    const found = [];
    const similar = [];
    for (const file of files) {
      const likely = libraries2.filter(({ locations }) => locations.some((folder) => isInside(file, folder)));
      const others = libraries2.filter((library) => !likely.includes(library));
      const before = found.length;
      for (const library of likely) await this.#askIn(library, file, { found, similar }, signal);
      if (found.length > before) continue;
      for (const library of others) await this.#askIn(library, file, { found, similar }, signal);
    }
    if (found.length > 0) return onePerItem(found).map((hit) => candidate(hit, false));
    return this.#byName(() => similar);
  }
  /** Puts into `found` what has the file, and into `similar` what has a file of its name. */
  async #askIn({ key: key2, title: library }, file, { found, similar }, signal) {
    for (const fragment of fragments(baseName(file))) {
      const before = found.length;
      for (const item of await this.#options.client.findByFile(key2, fragment, signal)) {
        const { ratingKey, title } = item;
        const same = fileOf(item, [file], samePath);
        const named4 = same ?? fileOf(item, [file], sameName);
        if (same !== void 0) found.push({ ratingKey, title, library, file: same });
        if (named4 !== void 0) similar.push({ ratingKey, title, library, file: named4 });
      }
      if (found.length > before) return;
    }
  }
  #byName(similar) {
    if (!this.#options.matchByName) return [];
    const hits = onePerItem(similar());
    return hits.length === 1 ? hits.map((hit) => candidate(hit, true)) : [];
  }
  /** The chosen libraries. Rejects with a PlexSettingsError when there is none. */
  async libraries(signal) {
    const now = this.#options.clock.now();
    const age = this.#known === null ? Number.POSITIVE_INFINITY : now - this.#known.at;
    const limit = this.#known?.problem ? believedWithProblemMs : believedMs;
    if (this.#known === null || age < 0 || age >= limit) {
      const libraries2 = await this.#options.client.libraries(signal);
      this.#known = { ...chooseLibraries(libraries2, this.#options.libraries), at: now };
    }
    const { chosen, problem } = this.#known;
    if (chosen.length === 0) throw new PlexSettingsError(problem ?? "No library of Plex is chosen.");
    return chosen;
  }
};
var onePerItem = (hits) => hits.filter((hit, i) => hits.findIndex(({ ratingKey }) => ratingKey === hit.ratingKey) === i);
var candidate = ({ ratingKey, title, library, file }, byName) => ({
  ratingKey,
  title,
  library,
  file,
  byName
});
var fileOf = (item, files, same) => item.files.find((part) => files.some((file) => same(part, file)));
function fragments(name) {
  const parts = name.split(",").map((part) => part.trim());
  const longest = parts.reduce((best, part) => part.length > best.length ? part : best, "");
  return [.../* @__PURE__ */ new Set([longest, longest.normalize("NFC"), longest.normalize("NFD")])];
}

// src/plex/scanner.ts
var apartMs = 6e4;
var remembered2 = 1e3;
var FolderScanner = class {
  #options;
  /** When each folder was last asked for, by library and path; the oldest first. */
  #askedAt = /* @__PURE__ */ new Map();
  constructor(options) {
    this.#options = options;
  }
  /**
   * Asks for a scan of this file's folder, as Plex sees it. False: it was asked for already, or the file is in no
   * folder of these libraries.
   */
  async request(file, libraries2, signal) {
    const folder = folderOf(file);
    if (folder === null) return false;
    const homes = libraries2.filter(({ locations }) => locations.some((root) => isInside(folder, root)));
    let asked = false;
    for (const { key: key2 } of homes) asked = await this.#scan(key2, folder, signal) || asked;
    return asked;
  }
  async #scan(sectionKey, folder, signal) {
    const { client, clock } = this.#options;
    const id2 = `${sectionKey} ${pathKey(folder)}`;
    const before = this.#askedAt.get(id2);
    const age = before === void 0 ? Number.POSITIVE_INFINITY : clock.now() - before;
    if (age >= 0 && age < apartMs) return false;
    this.#remember(id2, clock.now());
    try {
      await client.scan(sectionKey, folder, signal);
      return true;
    } catch (error) {
      this.#askedAt.delete(id2);
      throw error;
    }
  }
  #remember(id2, now) {
    this.#askedAt.delete(id2);
    this.#askedAt.set(id2, now);
    const [oldest] = this.#askedAt.keys();
    if (this.#askedAt.size > remembered2 && oldest !== void 0) this.#askedAt.delete(oldest);
  }
};

// src/resilience/announcements.ts
var toldKinds = ["nothing", "opened", "long", "recovery"];
var longOutageMs = 15 * 6e4;
function announcement(target, { outage, recoveryEndsAt, waiting }, told2, now) {
  const wait = waiting === 0 ? "No scene waits." : `${counted(waiting, "scene waits", "scenes wait")}.`;
  if (outage) {
    const isLong = now - outage.since >= longOutageMs;
    if (told2 === "long" || told2 === "opened" && !isLong) return null;
    const since = timeBeside(outage.since, now);
    const begin = `Sluice has sent nothing to ${target}`;
    return isLong ? {
      told: "long",
      text: `${begin} for ${duration(now - outage.since)}, since ${since}: ${outage.cause} ${wait} Nothing is lost, but somebody should look after ${target}. The task "Check health" in Stash says more.`
    } : {
      told: "opened",
      text: `${begin} since ${since}: ${outage.cause} ${wait} Nothing is lost: it goes on by itself when ${target} is well.`
    };
  }
  if (told2 === "nothing") return null;
  if (recoveryEndsAt !== null && recoveryEndsAt > now) {
    if (told2 === "recovery") return null;
    const end = timeBeside(recoveryEndsAt, now);
    return {
      told: "recovery",
      text: `${target} is well again. ${wait} Sluice goes on slowly at first, and at full speed from ${end}.`
    };
  }
  const what = told2 === "recovery" ? `The recovery of ${target} is over` : `${target} is well again`;
  return { told: "nothing", text: `${what}: Sluice works at full speed. ${wait}` };
}

// src/resilience/span.ts
var spanSchema = object({ from: number(), until: number() });
var lasts = (span, now) => span !== null && span.from <= now && now < span.until;
var longer = (a, b) => a && a.until > b.until ? a : b;

// src/resilience/adaptive-cap.ts
var capSchema = object({
  /** Jobs per second; null: no cap. */
  perSecond: nullable(pipe(number(), minValue(1e-3))),
  /** Above this it disappears. */
  enough: number(),
  /** No further cut within it. */
  spared: nullable(spanSchema),
  /** After a cut: what is sent instead, the lowest strain since then, and how long a lower one is waited for. */
  relief: nullable(
    object({
      perSecond: pipe(number(), minValue(1e-4)),
      lowestStrain: number(),
      patience: spanSchema
    })
  ),
  grownAt: number()
});
var noCap = { perSecond: null, enough: 0, spared: null, relief: null, grownAt: 0 };
var longestStepMs = 1e3;
var shortestPatienceMs = 2e3;
var longestPatienceMs = 3e4;
var lower = 0.99;
var AdaptiveCap = class {
  #state;
  constructor(state = noCap) {
    this.#state = state;
  }
  get state() {
    return this.#state;
  }
  /** What may be sent now; null: no cap. */
  get perSecond() {
    return this.#state.relief?.perSecond ?? this.#state.perSecond;
  }
  /** True if it was cut. */
  distress(isOverload, achieved, flow, now) {
    const { perSecond: before, spared, relief, enough } = this.#state;
    if (lasts(spared, now) || relief !== null && !isOverload) return false;
    const cut2 = isOverload ? flow.overloadCut : flow.distressCut;
    const perSecond = Math.max(flow.lowestRate, Math.min(before ?? Number.POSITIVE_INFINITY, achieved) * cut2);
    const relieved = Math.max(flow.lowestRate, perSecond * flow.reliefPercent / 100);
    this.#state = {
      perSecond,
      enough: Math.max(flow.targetRate, achieved, before === null ? 0 : enough),
      spared: { from: now, until: now + flow.cutApartSeconds * 1e3 },
      relief: {
        perSecond: relieved,
        // Whatever it is, the next will be lower.
        lowestStrain: Number.MAX_VALUE,
        patience: patience(relieved, flow, now)
      },
      grownAt: now
    };
    return true;
  }
  /** `strain`: the server's latency, 1 when all is as usual. */
  grow(strain, achieved, flow, now) {
    this.#relieve(strain, flow, now);
    const { perSecond, relief, enough, grownAt } = this.#state;
    if (perSecond === null || now - grownAt === 0) return;
    const stepMs = Math.min(longestStepMs, Math.max(0, now - grownAt));
    const inUse = achieved * 100 >= flow.inUsePercent * perSecond;
    const isWell = relief === null && strain < flow.distressFactor;
    const percent = !inUse || !isWell ? 0 : strain > flow.uneaseFactor ? flow.growthPercent / 4 : flow.growthPercent;
    const grown = perSecond * (1 + percent / 100) ** (stepMs / 1e3);
    this.#state = grown > enough ? noCap : { ...this.#state, perSecond: grown, grownAt: now };
  }
  #relieve(strain, flow, now) {
    const { relief } = this.#state;
    if (relief === null) return;
    if (strain <= flow.calmFactor || !lasts(relief.patience, now)) {
      this.#state = { ...this.#state, relief: null };
    } else if (strain < relief.lowestStrain * lower) {
      const { perSecond } = relief;
      this.#state = {
        ...this.#state,
        relief: { perSecond, lowestStrain: strain, patience: patience(perSecond, flow, now) }
      };
    }
  }
};
function patience(perSecond, flow, now) {
  const ms = Math.min(longestPatienceMs, Math.max(shortestPatienceMs, flow.reliefJobs / perSecond * 1e3));
  return { from: now, until: now + Math.ceil(ms) };
}

// src/resilience/recent.ts
var longestSeconds = 600;
var slotSchema = object({ second: number(), results: number(), failures: number() });
var recentSchema = array(slotSchema);
var Recent = class {
  #slots;
  constructor(state = []) {
    this.#slots = state.map((slot) => ({ ...slot }));
  }
  get state() {
    return this.#slots;
  }
  add(failed, now) {
    const second = Math.floor(now / 1e3);
    while ((this.#slots.at(-1)?.second ?? second) > second) this.#slots.pop();
    const last = this.#slots.at(-1);
    if (last?.second === second) {
      last.results++;
      if (failed) last.failures++;
      return;
    }
    this.#slots.push({ second, results: 1, failures: failed ? 1 : 0 });
    while ((this.#slots[0]?.second ?? second) <= second - longestSeconds) this.#slots.shift();
  }
  /** Over the last `seconds`, the current one included. */
  totals(seconds, now) {
    const newest = Math.floor(now / 1e3);
    while ((this.#slots[0]?.second ?? newest) <= newest - seconds) this.#slots.shift();
    const totals = { results: 0, failures: 0 };
    for (let index = this.#slots.length - 1; index >= 0; index--) {
      const slot = this.#slots[index];
      if (!slot || slot.second <= newest - seconds) break;
      if (slot.second > newest) continue;
      totals.results += slot.results;
      totals.failures += slot.failures;
    }
    return totals;
  }
};

// src/resilience/breaker.ts
var count2 = pipe(number(), integer(), minValue(0));
var breakerSchema = object({
  state: picklist(["CLOSED", "OPEN", "HALF_OPEN"]),
  /** Why it is not closed, in words for a person. */
  cause: nullable(string()),
  /** When the outage began; after it, when it ended. */
  since: nullable(number()),
  /** OPEN: until when nothing is sent; null: the next try is due. */
  wait: nullable(spanSchema),
  /** How often it was tried in vain during this outage. */
  failedTries: count2,
  failuresInARow: count2,
  overloadsInARow: count2,
  recent: recentSchema
});
var closedBreaker = {
  state: "CLOSED",
  cause: null,
  since: null,
  wait: null,
  failedTries: 0,
  failuresInARow: 0,
  overloadsInARow: 0,
  recent: []
};
var Breaker = class {
  constructor(state, random) {
    this.random = random;
    this.#state = state.state === "HALF_OPEN" ? { ...state, state: "OPEN", wait: null } : state;
    this.#recent = new Recent(state.recent);
  }
  random;
  #state;
  #recent;
  /** In HALF_OPEN: what is to be done next, or under way. */
  #half = "probe";
  get state() {
    return { ...this.#state, recent: this.#recent.state };
  }
  get isClosed() {
    return this.#state.state === "CLOSED";
  }
  get isOpen() {
    return this.#state.state === "OPEN";
  }
  get retryAt() {
    return this.#state.wait?.until ?? null;
  }
  get cause() {
    return this.#state.cause ?? "Plex is not answering.";
  }
  /** A probe or trial that it names is under way from then on. */
  step(now) {
    if (this.#state.state === "CLOSED") return "jobs";
    if (this.#state.state === "OPEN") {
      if (lasts(this.#state.wait, now)) return "nothing";
      this.#state = { ...this.#state, state: "HALF_OPEN", wait: null };
      this.#half = "probe";
    }
    if (this.#half === "probe") {
      this.#half = "probing";
      return "probe";
    }
    if (this.#half === "trial") {
      this.#half = "trying";
      return "trial";
    }
    return "nothing";
  }
  get awaitsTrial() {
    return this.#state.state === "HALF_OPEN" && this.#half === "trial";
  }
  /** The probe was answered: a job is the trial. */
  probedWell() {
    if (this.#state.state === "HALF_OPEN") this.#half = "trial";
  }
  /** The probe or the trial ended without saying anything. */
  again() {
    if (this.#half === "probing") this.#half = "probe";
    if (this.#half === "trying") this.#half = "trial";
  }
  close(now) {
    this.#state = { ...closedBreaker, since: now };
    this.#recent = new Recent();
  }
  succeeded(now) {
    if (this.#state.failuresInARow + this.#state.overloadsInARow > 0) {
      this.#state = { ...this.#state, failuresInARow: 0, overloadsInARow: 0 };
    }
    this.#recent.add(false, now);
  }
  /** Whether that is one too many. `floorAt`: the earliest instant of the next try that the server asked for. */
  failed(isOverload, cause, floorAt, flow, now) {
    this.#state = {
      ...this.#state,
      failuresInARow: this.#state.failuresInARow + 1,
      overloadsInARow: isOverload ? this.#state.overloadsInARow + 1 : 0
    };
    this.#recent.add(true, now);
    const { results, failures } = this.#recent.totals(flow.windowSeconds, now);
    const isTooMany = this.#state.failuresInARow >= flow.failuresInARow || this.#state.overloadsInARow >= flow.overloadsInARow || results >= flow.windowResults && failures * 100 >= flow.windowErrorPercent * results;
    if (isTooMany) this.#open(cause, floorAt, flow, now);
    return isTooMany;
  }
  /** Opens at once, from whatever state; an outage that lasts already is waited out longer. */
  open(cause, floorAt, flow, now) {
    this.#state = { ...this.#state, failuresInARow: this.#state.failuresInARow + 1 };
    this.#recent.add(true, now);
    this.#open(cause, floorAt, flow, now);
  }
  #open(cause, floorAt, flow, now) {
    const isNew = this.#state.state === "CLOSED";
    const failedTries = isNew ? 0 : this.#state.failedTries + 1;
    const seconds = Math.min(flow.openMaxSeconds, flow.openSeconds * 2 ** Math.min(failedTries, 30));
    const waitMs = seconds * 1e3 * (1 + this.random() * flow.openJitterPercent / 100);
    this.#state = {
      ...this.#state,
      state: "OPEN",
      cause,
      since: isNew ? now : this.#state.since,
      wait: { from: now, until: Math.max(Math.round(now + waitMs), floorAt) },
      failedTries
    };
  }
  /** The next try is due now, no more than that. */
  tryNow() {
    if (this.#state.state !== "OPEN" || this.#state.wait === null) return false;
    this.#state = { ...this.#state, wait: null };
    return true;
  }
  /** 0 to 1; null: nothing happened in the window. */
  errorRate(flow, now) {
    const { results, failures } = this.#recent.totals(flow.windowSeconds, now);
    return results === 0 ? null : failures / results;
  }
};

// src/resilience/cooldown.ts
var count3 = pipe(number(), integer(), minValue(0));
var cooldownSchema = object({
  span: nullable(spanSchema),
  inARow: count3,
  /** Since the beginning: cooldowns, and the jobs that were parked by them. */
  generations: count3,
  participants: count3
});
var noCooldown = { span: null, inARow: 0, generations: 0, participants: 0 };
var Cooldown = class {
  #state;
  #parked = 0;
  #gentle;
  constructor(state = noCooldown) {
    this.#state = state;
    this.#gentle = state.inARow > 0;
  }
  get state() {
    return this.#state;
  }
  /** The generation of a job that is sent now. */
  get generation() {
    return this.#state.generations;
  }
  /** Only one job at a time: none has succeeded since the last cooldown. */
  get isGentle() {
    return this.#gentle;
  }
  /** Null: none lasts. */
  until(now) {
    if (lasts(this.#state.span, now)) return this.#state.span.until;
    if (this.#state.span !== null) this.#state = { ...this.#state, span: null };
    this.#parked = 0;
    return null;
  }
  parked(now) {
    return this.until(now) === null ? 0 : this.#parked;
  }
  /** What an overload answer to a job of this generation does. `floorAt`: the earliest end that the server asked for. */
  met(generation, floorAt, flow, now) {
    if (generation === this.generation) {
      const inARow = this.#state.inARow + 1;
      const seconds = Math.min(flow.cooldownMaxSeconds, flow.cooldownSeconds * 2 ** Math.min(inARow - 1, 30));
      this.#state = {
        span: { from: now, until: Math.max(now + Math.round(seconds * 1e3), floorAt) },
        inARow,
        generations: this.#state.generations + 1,
        participants: this.#state.participants + 1
      };
      this.#parked = 1;
      this.#gentle = true;
      return "started";
    }
    if (generation !== this.generation - 1 || this.until(now) === null) return "late";
    this.#state = { ...this.#state, participants: this.#state.participants + 1 };
    this.#parked++;
    return "joined";
  }
  /** A job of this generation succeeded. */
  succeeded(generation) {
    if (generation !== this.generation || !this.#gentle) return;
    this.#gentle = false;
    this.#state = { ...this.#state, span: null, inARow: 0 };
  }
  /** The breaker takes over, or the outage is over. */
  cancel() {
    this.#parked = 0;
    this.#gentle = false;
    this.#state = { ...this.#state, span: null, inARow: 0 };
  }
};

// src/resilience/halving.ts
var halvingSchema = object({
  multiplier: pipe(number(), minValue(2 ** -20), maxValue(1)),
  /** No change within it. */
  kept: nullable(spanSchema),
  recent: recentSchema
});
var unhalved = { multiplier: 1, kept: null, recent: [] };
var Halving = class {
  #multiplier;
  #kept;
  #recent;
  constructor(state = unhalved) {
    this.#multiplier = state.multiplier;
    this.#kept = state.kept;
    this.#recent = new Recent(state.recent);
  }
  get state() {
    return { multiplier: this.#multiplier, kept: this.#kept, recent: this.#recent.state };
  }
  result(failed, now) {
    this.#recent.add(failed, now);
  }
  /** `rampRate`: what would be halved; there is no halving that takes it below the lowest rate. */
  multiplier(rampRate2, flow, now) {
    if (lasts(this.#kept, now)) return this.#multiplier;
    this.#kept = null;
    const { results, failures } = this.#recent.totals(flow.halvingSeconds, now);
    const isBad = results >= flow.halvingResults && failures * 100 > flow.halvingErrorPercent * results;
    const isGood = failures * 100 < flow.healthyErrorPercent * results || results === 0;
    if (isBad && rampRate2 * this.#multiplier > flow.lowestRate) {
      this.#multiplier /= 2;
      this.#kept = { from: now, until: now + flow.halvingSeconds * 1e3 };
    } else if (isGood && this.#multiplier < 1) {
      this.#multiplier = 1;
    }
    return this.#multiplier;
  }
};

// src/resilience/latency.ts
var trackSchema = object({
  /** Logarithms of milliseconds. */
  smoothed: number(),
  normal: number(),
  /** Of the logarithm of single calls, around the smoothed one. */
  variance: pipe(number(), minValue(0)),
  calls: pipe(number(), integer(), minValue(1)),
  at: number()
});
var kinds = ["read", "edit", "upload", "listing"];
var latencySchema = object({
  read: optional(trackSchema),
  edit: optional(trackSchema),
  upload: optional(trackSchema),
  listing: optional(trackSchema)
});
var staleMs = 1e4;
var varianceWeight = 0.05;
var noiseMargin = 2;
var firstCalls = 5;
var keptSamples = 100;
var Latency = class {
  #tracks;
  #samples = /* @__PURE__ */ new Map();
  constructor(state = {}) {
    this.#tracks = { ...state };
  }
  get state() {
    return this.#tracks;
  }
  /** The strain that this kind of call is under, with this call. */
  add(kind, ms, flow, now) {
    const track = next(this.#tracks[kind], Math.log(Math.max(1, ms)), flow, now);
    this.#tracks[kind] = track;
    this.#keepSample(kind, ms);
    return strainOf(track, flow);
  }
  /** Over all kinds that were called lately; 1 when none was. */
  strain(flow, now) {
    let worst = 1;
    for (const kind of kinds) {
      const track = this.#tracks[kind];
      if (track && Math.abs(now - track.at) < staleMs) worst = Math.max(worst, strainOf(track, flow));
    }
    return worst;
  }
  /** In milliseconds, for people. */
  get figures() {
    const shown3 = {};
    for (const kind of kinds) {
      const track = this.#tracks[kind];
      if (!track) continue;
      const sorted = [...this.#samples.get(kind) ?? []].sort((a, b) => a - b);
      const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Math.exp(track.smoothed);
      shown3[kind] = {
        smoothedMs: Math.round(Math.exp(track.smoothed)),
        normalMs: Math.round(Math.exp(track.normal)),
        p95Ms: Math.round(p95)
      };
    }
    return shown3;
  }
  #keepSample(kind, ms) {
    const samples = this.#samples.get(kind) ?? [];
    samples.push(ms);
    if (samples.length > keptSamples) samples.shift();
    this.#samples.set(kind, samples);
  }
};
function next(old, log, flow, now) {
  if (!old) return { smoothed: log, normal: log, variance: 0, calls: 1, at: now };
  const calls = old.calls + 1;
  const weight = Math.max(1 / calls, flow.latencyWeight);
  const smoothed = old.smoothed + weight * (log - old.smoothed);
  const squared = (log - old.smoothed) ** 2 * (old.calls / calls);
  const variance = old.variance + Math.max(1 / old.calls, varianceWeight) * (squared - old.variance);
  const deviation = Math.sqrt(variance * weight / (2 - weight));
  const usual = smoothed + noiseMargin * deviation;
  const seconds = Math.max(0, now - old.at) / 1e3;
  const drifted = old.normal + seconds * Math.log1p(flow.latencyDriftPercent / 100);
  return {
    smoothed,
    normal: calls <= firstCalls ? usual : Math.min(usual, drifted),
    variance,
    calls,
    at: now
  };
}
function strainOf({ smoothed, normal }, flow) {
  const quick = Math.log(Math.max(1, flow.quickMs));
  return Math.exp(Math.max(quick, smoothed) - Math.max(quick, normal));
}

// src/resilience/pace.ts
var slotSchema2 = object({ at: number(), jobs: number() });
var paceSchema = array(slotSchema2);
var windowMs = 5e3;
var slowestMs = 15e4;
var Pace = class {
  #slots;
  constructor(state = []) {
    this.#slots = state.map((slot) => ({ ...slot }));
  }
  get state() {
    return this.#slots;
  }
  admitted(now) {
    const last = this.#slots.at(-1);
    const backMs = Math.max(0, (last?.at ?? now) - now);
    if (backMs > 0) for (const slot of this.#slots) slot.at -= backMs;
    if (last && now - last.at < 1e3) last.jobs++;
    else this.#slots.push({ at: now, jobs: 1 });
    while ((this.#slots[0]?.at ?? now) <= now - windowMs) this.#slots.shift();
  }
  perSecond(now) {
    const last = this.#slots.at(-1);
    if (!last) return 0;
    const at = Math.max(now, last.at);
    const silenceMs = at - last.at;
    if (silenceMs >= windowMs) return silenceMs > slowestMs ? 0 : 1e3 / silenceMs;
    let jobs = 0;
    let since = last.at;
    for (const slot of this.#slots) {
      if (slot.at <= at - windowMs) continue;
      jobs += slot.jobs;
      since = Math.min(since, slot.at);
    }
    return jobs * 1e3 / Math.max(1e3, at - since);
  }
};

// src/resilience/recovery.ts
var isOver = (startedAt, now, flow) => now - startedAt >= flow.recoverySeconds * 1e3;
var progress = (startedAt, now, flow) => Math.min(1, Math.max(0, now - startedAt) / (flow.recoverySeconds * 1e3));
function rampRate(startedAt, now, flow) {
  if (startedAt === 0 || isOver(startedAt, now, flow)) return null;
  const { initialRate, targetRate } = flow;
  return initialRate + (targetRate - initialRate) * progress(startedAt, now, flow);
}

// src/resilience/signal.ts
var signals2 = {
  ok: "well",
  listing: "well",
  "not-in-plex": "well",
  "bad-data": "well",
  transient: "failure",
  "server-down": "failure",
  overloaded: "overload",
  "not-authorised": "refusal",
  "may-not-edit": "refusal",
  misconfigured: "refusal",
  gone: "nothing",
  filtered: "nothing",
  "stash-away": "nothing"
};
function signalOf(outcome) {
  if (outcome.kind === "unchanged") return outcome.looked ? "well" : "nothing";
  return signals2[outcome.kind];
}

// src/resilience/token-bucket.ts
var almostOne = 1 - 1e-9;
var TokenBucket = class {
  #tokens = 0;
  #at;
  #perSecond;
  constructor(perSecond, now) {
    this.#perSecond = perSecond;
    this.#at = now;
  }
  /** As they were at the last question. */
  get tokens() {
    return this.#tokens;
  }
  /** From now on it fills at this rate, at most. Said between two questions when the rate falls: it may rise again. */
  fill(perSecond, now) {
    const elapsedMs = Math.max(0, now - this.#at);
    const rate = Math.min(this.#perSecond, perSecond);
    this.#tokens = Math.min(1, this.#tokens + elapsedMs / 1e3 * rate);
    this.#at = now;
    this.#perSecond = perSecond;
  }
  /** Takes the token and returns 0, or takes nothing and returns how many milliseconds to wait. */
  shouldWait(perSecond, now) {
    this.fill(perSecond, now);
    if (this.#tokens >= almostOne) {
      this.#tokens = Math.max(0, this.#tokens - 1);
      return 0;
    }
    return Math.max(1, Math.ceil((almostOne - this.#tokens) / perSecond * 1e3));
  }
};

// src/resilience/gate.ts
var gateSchema = object({
  breaker: breakerSchema,
  /** 0: no recovery is under way. */
  recoveryStartedAt: pipe(number(), minValue(0)),
  halving: halvingSchema,
  /** What the server asked for with Retry-After. */
  retryAfter: nullable(spanSchema),
  cooldown: cooldownSchema,
  cap: capSchema,
  latency: latencySchema,
  pace: paceSchema
});
var closedGate = {
  breaker: closedBreaker,
  recoveryStartedAt: 0,
  halving: unhalved,
  retryAfter: null,
  cooldown: noCooldown,
  cap: noCap,
  latency: {},
  pace: []
};
var unknownGate = (cause, now) => ({
  ...closedGate,
  breaker: { ...closedBreaker, state: "OPEN", cause, since: now }
});
var Gate = class {
  /** Can be changed at any time. */
  flow;
  #log;
  #breaker;
  #cooldown;
  #cap;
  #latency;
  #pace;
  #halving;
  #recoveryStartedAt;
  #retryAfter;
  #bucket = null;
  /** Grows whenever the breaker opens or closes: what was admitted before teaches nothing any more. */
  #epoch = 0;
  #epochAt;
  /** Of whatever epoch: a job that outlives an opening is still on its way. */
  #inFlight = 0;
  constructor({ flow, random, now, state, log }) {
    const from = state ?? closedGate;
    this.flow = flow;
    this.#log = log ?? null;
    this.#breaker = new Breaker(from.breaker, random);
    this.#cooldown = new Cooldown(from.cooldown);
    this.#cap = new AdaptiveCap(from.cap);
    this.#latency = new Latency(from.latency);
    this.#pace = new Pace(from.pace);
    this.#halving = new Halving(from.halving);
    this.#retryAfter = from.retryAfter;
    this.#recoveryStartedAt = Math.min(from.recoveryStartedAt, now);
    this.#epochAt = now;
  }
  get state() {
    return {
      breaker: this.#breaker.state,
      recoveryStartedAt: this.#recoveryStartedAt,
      halving: this.#halving.state,
      retryAfter: this.#retryAfter,
      cooldown: this.#cooldown.state,
      cap: this.#cap.state,
      latency: this.#latency.state,
      pace: this.#pace.state
    };
  }
  get isClosed() {
    return this.#breaker.isClosed;
  }
  ask(now) {
    if (this.wantsTrial && this.#inFlight > 0) return lanesAreFull;
    const step = this.#breaker.step(now);
    if (step === "probe") return { admit: "probe" };
    if (step === "trial") return { admit: "job", ticket: this.#ticket(true) };
    const held = this.#held(step === "jobs", now);
    if (held) return held;
    const rate = this.#rate(now);
    if (rate === null) this.#bucket = null;
    else {
      this.#bucket ??= new TokenBucket(rate.perSecond, now);
      const waitMs = this.#bucket.shouldWait(rate.perSecond, now);
      if (waitMs > 0) return nothing(rate.limitedBy, this.#whySlow(rate), now + waitMs);
    }
    this.#pace.admitted(now);
    return { admit: "job", ticket: this.#ticket(false) };
  }
  /** In HALF_OPEN a job is wanted as the trial: one whose last result was no failure, if there is one. */
  get wantsTrial() {
    return this.#breaker.awaitsTrial;
  }
  /** What became of a job; null: nothing that could be told (it was broken off). */
  learn(ticket, outcome, now) {
    this.#inFlight--;
    if (ticket.epoch !== this.#epoch) return false;
    const signal = outcome === null ? "nothing" : signalOf(outcome);
    const cause = outcome === null ? "" : this.#heed(outcome, now);
    if (signal === "nothing") {
      if (ticket.isTrial) this.#breaker.again();
      return false;
    }
    if (signal === "refusal") return this.#open(cause, now);
    if (ticket.isTrial) return signal === "well" ? this.#close(now) : this.#open(cause, now);
    if (this.#recoveryStartedAt !== 0) this.#halving.result(signal !== "well", now);
    if (signal === "well") {
      this.#breaker.succeeded(now);
      this.#cooldown.succeeded(ticket.generation);
      return false;
    }
    if (signal === "overload") {
      const met = this.#cooldown.met(ticket.generation, this.#floorAt(now), this.flow, now);
      if (met !== "started") return false;
      if (this.#fails(true, cause, now)) return true;
      const seconds = ((this.#cooldown.until(now) ?? now) - now) / 1e3;
      this.#log?.info(`Plex is overloaded: nothing is sent to it for ${Math.round(seconds)} s.`);
      return true;
    }
    return this.#fails(false, cause, now);
  }
  /** What became of the probe. `hasDueJob`: something waits that can be the trial. */
  probed(outcome, hasDueJob, now) {
    if (outcome === null || signalOf(outcome) === "nothing") {
      this.#breaker.again();
      return false;
    }
    if (this.#breaker.isOpen) return false;
    if (signalOf(outcome) !== "well") return this.#open(this.#heed(outcome, now), now);
    if (this.isClosed) return false;
    if (!hasDueJob) return this.#close(now);
    this.#breaker.probedWell();
    this.#log?.debug("Plex answers again; one scene is sent as a trial.");
    return false;
  }
  /** Nothing is left that could be the trial. */
  nothingToTry(now) {
    return this.wantsTrial && this.#close(now);
  }
  /** How a single request went. */
  called(call, now) {
    this.#epochAt = Math.min(this.#epochAt, now);
    if (call.startedAt < this.#epochAt) return;
    if (call.retryAfterMs !== null) this.#waitAsAsked(call.retryAfterMs, now);
    if (!this.isClosed) return;
    const isOverload = call.end === "overloaded";
    const strain = call.end === "answered" ? this.#latency.add(call.kind, call.ms, this.flow, now) : 1;
    const isSlow = strain >= this.flow.distressFactor;
    const isDistress = isOverload || call.retryAfterMs !== null || isSlow;
    if (!isDistress || !this.#cap.distress(isOverload, this.#pace.perSecond(now), this.flow, now)) return;
    const rate = this.#rate(now);
    if (rate !== null) this.#bucket?.fill(rate.perSecond, now);
    const why = isSlow ? `is ${strain.toFixed(1)} times as slow as usual` : "is overloaded";
    this.#log?.debug(`Plex ${why}: at most ${inWords3(this.#cap.perSecond ?? 0)} for now.`);
  }
  /** The probe is due now. */
  tryNow() {
    return this.#breaker.tryNow();
  }
  /** What happens by time alone. */
  tick(now) {
    this.#recoveryStartedAt = Math.min(this.#recoveryStartedAt, now);
    if (this.#recoveryStartedAt === 0 || !isOver(this.#recoveryStartedAt, now, this.flow)) return false;
    this.#endRecovery();
    this.#log?.info("The recovery period is over: scenes go to Plex without a limit again.");
    return true;
  }
  get outage() {
    if (this.isClosed) return null;
    const { since } = this.#breaker.state;
    return { since: since ?? this.#epochAt, cause: this.#breaker.cause };
  }
  /** Since when the last outage is over; null: there was none, or it lasts. */
  get closedAt() {
    return this.isClosed ? this.#breaker.state.since : null;
  }
  /** Null: no recovery is under way. */
  recoveryEndsAt(now) {
    const startedAt = this.#recoveryStartedAt;
    if (startedAt === 0 || isOver(startedAt, now, this.flow)) return null;
    return startedAt + this.flow.recoverySeconds * 1e3;
  }
  parked(now) {
    return this.#cooldown.parked(now);
  }
  /** The same decision as `ask` would give, in words and numbers, and without taking anything. */
  view(now) {
    const { state, cause, since, failuresInARow, overloadsInARow } = this.#breaker.state;
    const rate = this.isClosed ? this.#rate(now) : { perSecond: 0, limitedBy: "breaker" };
    const held = this.#held(this.isClosed, now);
    const isHeld = held !== null && held.limitedBy !== "lanes";
    const endsAt = this.recoveryEndsAt(now);
    const { generations, participants } = this.#cooldown.state;
    const parked = this.parked(now);
    const until = this.#cooldown.until(now);
    return {
      reason: isHeld ? held.reason : rate ? this.#whySlow(rate) : "Scenes go to Plex without a limit.",
      breaker: {
        state,
        cause,
        since: isoOrNull(since),
        retryAt: isoOrNull(this.#breaker.retryAt),
        failuresInARow,
        overloadsInARow,
        errorRate: this.#breaker.errorRate(this.flow, now)
      },
      recovery: {
        active: endsAt !== null,
        startedAt: endsAt === null ? null : iso(this.#recoveryStartedAt),
        endsAt: isoOrNull(endsAt),
        progress: endsAt === null ? null : progress(this.#recoveryStartedAt, now, this.flow),
        multiplier: this.#halving.state.multiplier
      },
      rate: {
        perSecond: isHeld ? 0 : rate?.perSecond ?? null,
        limitedBy: isHeld ? held.limitedBy : rate?.limitedBy ?? "none",
        achieved: this.#pace.perSecond(now),
        tokens: this.#bucket?.tokens ?? null,
        cap: this.#cap.perSecond
      },
      cooldown: {
        until: isoOrNull(until),
        retryAfter: lasts(this.#retryAfter, now) ? iso(this.#retryAfter.until) : null,
        generations,
        participants,
        parked,
        released: participants - parked
      },
      latency: this.#latency.figures
    };
  }
  #ticket(isTrial) {
    this.#inFlight++;
    return { epoch: this.#epoch, generation: this.#cooldown.generation, isTrial };
  }
  /** Why nothing may be sent at all now. */
  #held(isClosed, now) {
    if (!isClosed) {
      return nothing("breaker", this.#breaker.cause, this.#breaker.retryAt ?? Number.POSITIVE_INFINITY);
    }
    const cooldownUntil = this.#cooldown.until(now);
    if (!lasts(this.#retryAfter, now)) this.#retryAfter = null;
    else if (this.#retryAfter.until >= (cooldownUntil ?? 0)) {
      return nothing("retry-after", "Plex asked us to wait.", this.#retryAfter.until);
    }
    if (cooldownUntil !== null) {
      return nothing(
        "cooldown",
        "Plex said that it is overloaded, and is left alone for a moment.",
        cooldownUntil
      );
    }
    const lanes = this.#cooldown.isGentle ? 1 : this.flow.lanes;
    return this.#inFlight < lanes ? null : lanesAreFull;
  }
  #rate(now) {
    const ramp = this.#recoveryStartedAt === 0 ? null : rampRate(this.#recoveryStartedAt, now, this.flow);
    if (this.#cap.perSecond !== null) {
      this.#cap.grow(this.#latency.strain(this.flow, now), this.#pace.perSecond(now), this.flow, now);
    }
    const cap = this.#cap.perSecond;
    if (ramp === null) return cap === null ? null : { perSecond: cap, limitedBy: "cap" };
    const halved = Math.max(this.flow.lowestRate, ramp * this.#halving.multiplier(ramp, this.flow, now));
    const slowed = Math.min(ramp, halved);
    return cap !== null && cap < slowed ? { perSecond: cap, limitedBy: "cap" } : { perSecond: slowed, limitedBy: "ramp" };
  }
  #whySlow({ perSecond, limitedBy }) {
    const most = `at most ${inWords3(perSecond)} for now`;
    if (limitedBy === "cap") return `Plex seems to have more to do than it can: ${most}.`;
    const errors = this.#halving.state.multiplier < 1 ? " and still fails now and then" : "";
    return `Plex has just come back${errors}: ${most}.`;
  }
  /** Keeps to what the server asked for, and returns what is wrong in words. */
  #heed(outcome, now) {
    if (outcome.kind === "overloaded" && outcome.retryAfterMs !== null) {
      this.#waitAsAsked(outcome.retryAfterMs, now);
    }
    return "message" in outcome ? outcome.message : "";
  }
  #waitAsAsked(ms, now) {
    const most = this.flow.retryAfterMaxSeconds * 1e3;
    const current = lasts(this.#retryAfter, now) ? this.#retryAfter : null;
    this.#retryAfter = longer(current, { from: now, until: now + Math.min(ms, most) });
  }
  #fails(isOverload, cause, now) {
    const opened2 = this.#breaker.failed(isOverload, cause, this.#floorAt(now), this.flow, now);
    if (opened2) this.#wasOpened(cause, now);
    else {
      const { failuresInARow } = this.#breaker.state;
      this.#log?.debug(`Plex failed (${failuresInARow} of ${this.flow.failuresInARow} in a row): ${cause}`);
    }
    return opened2;
  }
  #open(cause, now) {
    this.#breaker.open(cause, this.#floorAt(now), this.flow, now);
    this.#wasOpened(cause, now);
    return true;
  }
  #floorAt(now) {
    return lasts(this.#retryAfter, now) ? this.#retryAfter.until : 0;
  }
  #wasOpened(cause, now) {
    this.#nextEpoch(now);
    this.#endRecovery();
    this.#retryAfter = null;
    const seconds = Math.round(((this.#breaker.retryAt ?? now) - now) / 1e3);
    this.#log?.info(`The breaker is open: ${cause} The next try is in ${seconds} s.`);
  }
  #close(now) {
    this.#breaker.close(now);
    this.#nextEpoch(now);
    this.#recoveryStartedAt = now;
    const { initialRate, targetRate, recoverySeconds } = this.flow;
    this.#log?.info(
      `Plex is well again. To spare it, scenes are sent slowly at first: ${shown2(initialRate)} a second, rising to ${shown2(targetRate)} over ${shown2(recoverySeconds)} s.`
    );
    return true;
  }
  #nextEpoch(now) {
    this.#epoch++;
    this.#epochAt = now;
    this.#cooldown.cancel();
  }
  #endRecovery() {
    this.#recoveryStartedAt = 0;
    this.#halving = new Halving();
    this.#bucket = null;
  }
};
var nothing = (limitedBy, reason, nextAt) => ({ admit: "nothing", limitedBy, reason, nextAt });
var lanesAreFull = nothing(
  "lanes",
  "As many scenes are on the way as may be at a time.",
  Number.POSITIVE_INFINITY
);
var isoOrNull = (time3) => time3 === null ? null : iso(time3);
var shown2 = (rate) => String(Math.round(rate * 10) / 10);
var inWords3 = (rate) => `${shown2(rate)} ${shown2(rate) === "1" ? "scene" : "scenes"} a second`;

// src/sync/habits.ts
var Habits = class {
  /** How many removals in one request were all seen to be honoured: 2 stands for any number above one. */
  #removed = { "beside-names": 0, alone: 0 };
  /** Whether a list is shown in the order in which it was sent (true), or names keep the places they had. */
  ordersAsSent = null;
  /** Whether a list can be emptied in one request. */
  empties = null;
  /** Whether a list that is named in several requests is whole in the end. */
  takesParts = null;
  /** Whether removals of this kind need not be looked at when there are `count` of any kind in the request. */
  removes(how, count4) {
    return this.#removed[how] >= Math.min(count4, 2);
  }
  /** All removals of one request were seen to be honoured; `count` of them were of this kind. */
  sawRemoved(how, count4) {
    if (count4 > this.#removed[how]) this.#removed[how] = count4 > 1 ? 2 : 1;
  }
  sawNotRemoved() {
    this.#removed["beside-names"] = 0;
    this.#removed.alone = 0;
  }
};

// src/sync/one-at-a-time.ts
var OneAtATime = class {
  #last = /* @__PURE__ */ new Map();
  async run(key2, work) {
    const before = this.#last.get(key2);
    const mine = (async () => {
      await before?.catch(() => {
      });
      return await work();
    })();
    this.#last.set(key2, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key2) === mine) this.#last.delete(key2);
    }
  }
};

// src/sync/sync-scene.ts
async function syncScene(job2, ports) {
  try {
    return await planScene(job2, ports, (plan) => carryOut(plan, job2, ports));
  } catch (error) {
    ports.signal.throwIfAborted();
    if (error instanceof StashTrouble) return { kind: "stash-away", message: error.message };
    return outcomeFor(job2.scene, error);
  }
}
async function carryOut(plan, job2, ports) {
  const { ledger } = ports;
  switch (plan.kind) {
    case "gone":
      ledger.remove(job2.scene);
      return plan;
    case "filtered":
      return plan;
    case "listing":
      await list2(ports);
      return plan;
    case "settled":
      noteSettled(plan, ports);
      return { kind: "unchanged", looked: false, ...lookAgain(plan.aim, job2, ports) };
    case "ambiguous":
      return { kind: "bad-data", message: plan.message };
    case "not-in-plex":
      return await miss(plan.aim, plan.message, ports);
    case "found":
      return await bringInStep(plan, job2, ports);
  }
}
async function list2({ finder, signal }) {
  try {
    await finder.advance(signal);
  } catch (error) {
    if (error instanceof PlexError && isItemsFault(error)) finder.index.failed();
    throw error;
  }
}
async function miss(aim, message, ports) {
  const { ledger, finder, scanner, settings, signal } = ports;
  const known3 = ledger.get(aim.scene.id);
  if (known3 && !known3.stale) ledger.put(aim.scene.id, { ...known3, stale: true });
  let isAsked = false;
  for (const file of settings.plexScan ? aim.files : []) {
    isAsked = await scanner.request(file, await finder.libraries(signal), signal) || isAsked;
  }
  const said = isAsked ? `${message} Plex was asked to scan its folder.` : message;
  if (settings.plexMissing === "drop") return { kind: "filtered", rule: "not-in-plex", message: said };
  return { kind: "not-in-plex", message: said };
}
async function bringInStep(found, job2, ports) {
  const { aim, item, ours, edit, steps, instead } = found;
  const { plex, ledger, clock, signal, settings, habits } = ports;
  const { scene, wanted, former, cover, kinds: kinds3 } = aim;
  const owner = ledger.sceneAt(item.ratingKey);
  if (owner !== void 0 && owner !== scene.id) ledger.remove(owner);
  const place = {
    ratingKey: item.ratingKey,
    file: aim.file,
    ...found.how === "name" ? { byName: true } : {},
    ...relationsOf(scene)
  };
  const isWrite = edit !== null || steps.length > 0;
  if (isWrite) {
    const tried = triedBefore(wanted, edit, ours);
    const pictures2 = picturesBefore(cover, steps, ours?.pictures);
    ledger.put(scene.id, { ...place, ...tried, ...pictures2 && { pictures: pictures2 }, at: clock.now(), stale: true });
    if (settings.plexKeepsOwn) await ports.keep();
  }
  const shown3 = await applyPictures(steps, cover, item, plex, signal);
  const applied = isWrite ? await applyEdit(edit, item, plex, habits, signal, shown3.locks) : null;
  if (shown3.failure) throw shown3.failure;
  const now = clock.now();
  const seen = isWrite ? null : item;
  const pictures = picturesAfter(aim, found.shownPictures, shown3, seen, ours?.pictures, now);
  ledger.put(scene.id, {
    ...place,
    ...oursAfter(wanted, item, edit, ours, { former }, applied),
    at: now,
    ...seen && { seen: seen.updatedAt },
    ...found.keepsOwn ? { keptOwn: true } : {},
    ...(kinds3.length > 0 || ours?.pictures) && { pictures }
  });
  const more = { ...lookAgain(aim, job2, ports), ...instead !== null && { displaced: instead } };
  const problems = [
    ...cover.problem === null ? [] : [cover.problem],
    ...shown3.problems,
    ...applied?.cut ?? []
  ];
  if (!isWrite && problems.length === 0) return { kind: "unchanged", looked: true, ...more };
  const fields3 = [...edit?.fields ?? [], ...shown3.fields];
  const kept = [...edit?.kept ?? [], ...found.keptPictures];
  const title = wanted.title ?? item.title;
  const message = written(scene, title, {
    fields: fields3,
    kept,
    problems,
    instead,
    byName: found.how === "name"
  });
  return { kind: "ok", message, ...more };
}
function lookAgain({ scene, kinds: kinds3, cover }, job2, ports) {
  if (kinds3.length === 0 || cover.sha1 !== null || job2.secondLook) return {};
  const since = ports.ledger.get(scene.id)?.pictures?.missingSince;
  return since !== void 0 && ports.clock.now() - since < ports.coverMs ? { lookAgain: true } : {};
}
function noteSettled({ aim, known: known3, seen }, { ledger, clock }) {
  const relations = relationsOf(aim.scene);
  const { studio: studio2, studioParent, performers, tags: tags2, groups } = known3;
  const before = { studio: studio2, ...studioParent !== void 0 && { studioParent }, performers, tags: tags2, groups };
  const isSame = JSON.stringify(before) === JSON.stringify(relations);
  const pictures = known3.pictures && aim.kinds.length > 0 ? fetchedNow(known3.pictures, aim, clock.now()) : null;
  const isSameCover = pictures === null || pictures.from === known3.pictures?.from && pictures.fresh === known3.pictures?.fresh;
  if (isSame && isSameCover && (seen === null || seen === known3.seen)) return;
  const { studioParent: _, ...rest } = known3;
  ledger.put(aim.scene.id, {
    ...rest,
    ...relations,
    ...pictures && { pictures },
    ...seen !== null && { seen }
  });
}
function fetchedNow(known3, { cover: { from } }, now) {
  const { fresh: _, ...rest } = known3;
  return { ...rest, from, ...isFresh(from, now) && { fresh: true } };
}
function relationsOf(scene) {
  return {
    studio: scene.studio?.id ?? null,
    ...scene.studio?.parent && { studioParent: scene.studio.parent.id },
    performers: scene.performers.map(({ id: id2 }) => id2),
    tags: scene.tags.map(({ id: id2 }) => id2),
    groups: scene.groups.map(({ id: id2 }) => id2)
  };
}
function outcomeFor(scene, error) {
  if (error instanceof ItemVanished) return { kind: "not-in-plex", message: vanished(scene) };
  const outcome = toOutcome(error);
  if (outcome.kind !== "bad-data" && outcome.kind !== "transient") return outcome;
  return { kind: outcome.kind, message: `Scene ${scene} was not synced: ${outcome.message}` };
}

// src/worker/health.ts
async function checkHealth(client, names3, signal) {
  const report = {
    reachable: false,
    well: false,
    tokenValid: null,
    server: null,
    libraries: [],
    problems: []
  };
  try {
    const { name, version: version2 } = await client.probe(signal);
    report.reachable = report.well = report.tokenValid = true;
    report.server = { name, version: version2 };
    const libraries2 = await client.libraries(signal);
    const { chosen, problem } = chooseLibraries(libraries2, names3);
    if (problem !== null) report.problems.push(problem);
    await lookInto(libraries2, chosen, client, report, signal);
  } catch (error) {
    signal.throwIfAborted();
    report.problems.push(messageOf(error));
    if (!report.well && error instanceof PlexError) {
      report.reachable = isFromPlex(error);
      report.tokenValid = error.kind === "not-authorised" ? false : null;
    }
  }
  return report;
}
async function lookInto(libraries2, chosen, client, report, signal) {
  let isCounting = true;
  for (const library of libraries2) {
    const { key: key2, title, type } = library;
    const found = { title, type, items: null, used: chosen.includes(library) };
    report.libraries.push(found);
    if (!isCounting) continue;
    try {
      found.items = await client.count(key2, signal, type);
    } catch (error) {
      signal.throwIfAborted();
      report.problems.push(`The items of "${title}" could not be counted. ${messageOf(error)}`);
      isCounting = error instanceof PlexError && error.kind === "transient";
    }
  }
}
var isFromPlex = ({ kind, status }) => kind === "overloaded" || kind === "not-authorised" || kind === "transient" && status !== null;
var kinds2 = /* @__PURE__ */ new Map([
  ["movie", "films or other videos"],
  ["show", "TV shows"],
  ["artist", "music"],
  ["photo", "photos"]
]);
function healthInWords(report, targetName) {
  const { server, libraries: libraries2, problems } = report;
  const lines = [];
  if (server) {
    const name = server.name === "" ? "The server" : `The server "${server.name}"`;
    const version2 = server.version === "" ? "" : ` (version ${server.version})`;
    lines.push(`${name} answers${version2} and accepts the token.`);
  }
  for (const { title, type, items, used } of libraries2) {
    const size = items === null ? "an unknown number of items" : counted(items, "item", "items");
    const use = used ? "kept in step" : "left alone";
    lines.push(`The library "${title}" (${kinds2.get(type) ?? type}) has ${size} and is ${use}.`);
  }
  return [...lines, ...problems].map((line) => `${targetName}: ${line}`);
}

// src/worker/target.ts
var documentSchema = object({
  ...gateSchema.entries,
  /** Which settings were last tried, as a hash: changed ones are looked at before anything is sent. */
  tried: nullable(string()),
  /** Which server the ledger speaks of. */
  server: nullable(string()),
  /** What the person was last notified of. */
  told: picklist(toldKinds)
});
var worthListing = 100;
var Target = class {
  name;
  ledger;
  #parts;
  #format;
  #gate;
  #items = new OneAtATime();
  #server = null;
  #sync = syncDefaults;
  #isConfigured = false;
  #tried;
  #known;
  #told;
  /** Something of the gate is not on disk: a transition, or only numbers. */
  #unsaved = null;
  #saving = null;
  /** Another server answers than before; its scenes need a sync of everything. */
  isNewServer = false;
  /** Why nothing can be sent at all; null once it can. */
  missing = "The settings have not been read yet.";
  constructor(parts) {
    const { name, folder, ledger, clock, random, log } = parts;
    this.#parts = parts;
    this.name = name;
    this.ledger = ledger;
    (0, import_node_fs22.mkdirSync)(folder, { recursive: true, mode: privateFolder });
    this.#format = {
      path: (0, import_node_path13.join)(folder, "gate.json"),
      version: 2,
      parse: (value2) => parse2(documentSchema, value2),
      ifLost: "Plex is asked whether it is well before anything is sent."
    };
    const now = clock.now();
    const { value, broken } = loadDocument(this.#format, now, log);
    const unknown2 = broken ? unknownGate("How Plex is doing is not known: its file was damaged.", now) : null;
    this.#gate = new Gate({ flow: flowDefaults, random, now, state: value ?? unknown2, log });
    this.#tried = value?.tried ?? null;
    this.#known = value?.server ?? null;
    this.#told = value?.told ?? "nothing";
  }
  get flow() {
    return this.#gate.flow;
  }
  get outage() {
    return this.#gate.outage;
  }
  /** Since when the last outage is over. */
  get closedAt() {
    return this.#gate.closedAt;
  }
  get isRecovering() {
    return this.#gate.recoveryEndsAt(this.#parts.clock.now()) !== null;
  }
  /** What is wrong with the chosen libraries, as far as is known. */
  get libraryProblem() {
    const problem = this.#server?.finder.libraryProblem() ?? null;
    return problem && this.#inOwnWords(problem);
  }
  /**
   * Takes on changed settings; after any change Plex is looked at before anything is sent. `missing`: why this server
   * cannot be used as it is set; null: it can. True: how it is reached, or what is found there, has changed.
   */
  configure(settings, sync, flow, missing) {
    this.#gate.flow = flow;
    this.#sync = sync;
    this.#isConfigured = true;
    this.missing = missing;
    const { plexUrl: url, plexToken: token2, plexLibraries: libraries2, plexPathMap: rules2 } = settings;
    if (missing !== null || url === null || token2 === null) {
      this.#server = null;
      return false;
    }
    const { plexTrustAnyCertificate: trustAnyCertificate } = settings;
    const timeoutMs = flow.requestSeconds * 1e3;
    const { plexMatchByName: matchByName } = sync;
    const hash = shortHash({ url, token: token2, libraries: libraries2, rules: rules2, trustAnyCertificate, timeoutMs, matchByName });
    if (hash === this.#server?.hash) return false;
    const fetch2 = makeFetch({ trustAnyCertificate });
    const { clientIdentifier, clock } = this.#parts;
    const onCall = (call) => {
      this.#gate.called(call, clock.now());
      this.#unsaved ??= "numbers";
    };
    const client = new PlexClient({ url, token: token2, clientIdentifier, version, fetch: fetch2, timeoutMs, clock, onCall });
    const finder = new PlexFinder({ client, libraries: libraries2, rules: rules2, matchByName, clock });
    const scanner = new FolderScanner({ client, clock });
    this.#server = { url, libraries: libraries2, hash, client, finder, scanner, habits: new Habits() };
    if (hash === this.#tried) return false;
    this.tryNow();
    return true;
  }
  /** The gate has to find out whether the server is well, as soon as it allows that. */
  get wantsProbe() {
    return !this.#gate.isClosed && !this.#gate.wantsTrial || this.#isUntried;
  }
  /** A job is wanted as the trial: one whose last result was no failure, if there is one. */
  get wantsTrial() {
    return this.#gate.wantsTrial;
  }
  ask(now) {
    if (this.#gate.isClosed && this.#isUntried) return { admit: "probe" };
    return this.#gate.ask(now);
  }
  get #isUntried() {
    return this.#server !== null && this.#server.hash !== this.#tried;
  }
  /** Asks the server whether it is well, and whether it has the libraries of the settings. */
  async probe(hasDueJob, signal) {
    const server = this.#server;
    const { clock } = this.#parts;
    if (!server) {
      this.#gate.probed(null, hasDueJob, clock.now());
      return "not well";
    }
    let outcome = { kind: "ok", message: "" };
    try {
      this.#recognise((await server.client.probe(signal)).machineIdentifier);
      await server.finder.libraries(signal);
    } catch (error) {
      if (signal.aborted) this.#gate.probed(null, hasDueJob, clock.now());
      signal.throwIfAborted();
      outcome = this.#worded(toOutcome(error));
    }
    this.#gate.probed(outcome, hasDueJob, clock.now());
    this.#tried = server.hash;
    this.#unsaved = "transition";
    return outcome.kind === "ok" ? "well" : "not well";
  }
  /** There is nothing that could be the trial. */
  nothingToTry() {
    if (this.#gate.nothingToTry(this.#parts.clock.now())) this.#unsaved = "transition";
  }
  /** Something else than a job met trouble there: it is asked how it is before anything more is sent. */
  doubt() {
    this.#tried = null;
  }
  /** The next try is due now; false: it was not waited for. */
  tryNow() {
    if (!this.#gate.tryNow()) return false;
    this.#unsaved = "transition";
    return true;
  }
  /** Syncs a job, and tells the gate what became of it. */
  async sync(job2, ticket, stash, signal) {
    let outcome = null;
    try {
      outcome = await this.attempt(job2, stash, signal);
      return outcome ?? { kind: "misconfigured", message: this.missing ?? "not configured" };
    } finally {
      const isTransition = this.#gate.learn(ticket, outcome, this.#parts.clock.now());
      this.#unsaved = isTransition ? "transition" : this.#unsaved ?? "numbers";
    }
  }
  /** Null: the server has just left the settings, which is nobody's failure. */
  async attempt(job2, stash, signal) {
    const ports = this.#ports(stash, signal);
    if (!ports) return null;
    const isMany = job2.bulk === true && (job2.attempts ?? 0) === 0;
    const { index } = ports.finder;
    const listFirst = isMany && index.isUsable() && (index.isReady() || this.#parts.due() >= worthListing);
    return this.#worded(await syncScene({ ...job2, listFirst }, ports));
  }
  /** What reading needs; null: it cannot be asked now. */
  reading(stash, signal) {
    return this.isClosed ? this.#ports(stash, signal) : null;
  }
  /** Whether it may be asked for what is not urgent: it is known and well, and did not ask to be left alone. */
  get isAtEase() {
    if (this.wantsProbe || !this.isClosed || this.isRecovering) return false;
    const { limitedBy } = this.#gate.view(this.#parts.clock.now()).rate;
    return limitedBy !== "retry-after" && limitedBy !== "cooldown";
  }
  #ports(stash, signal) {
    if (!this.#server) return null;
    const { client: plex, finder, scanner, habits } = this.#server;
    const { ledger, clock, keep } = this.#parts;
    const coverMs = this.flow.coverSeconds * 1e3;
    const settings = this.#sync;
    const items = this.#items;
    return { stash, plex, finder, scanner, habits, ledger, items, settings, clock, signal, coverMs, keep };
  }
  /** A pass over everything begins: what the libraries held earlier is not believed. */
  relist() {
    this.#server?.finder.index.expire();
  }
  /** Gives back a ticket that no job was there for. */
  giveBack(ticket) {
    this.#gate.learn(ticket, null, this.#parts.clock.now());
  }
  /** Whether failures of a job may be charged to it. */
  get isClosed() {
    return this.#gate.isClosed;
  }
  /** Resolves when every transition so far is on disk. Rejects when it cannot be written; then nothing may be sent. */
  async kept() {
    while (this.#saving !== null || this.#unsaved === "transition") await this.#save();
  }
  /** What happens by time alone, and what is written once a second. */
  async tick() {
    if (this.#isConfigured && this.#gate.tick(this.#parts.clock.now())) this.#unsaved = "transition";
    if (this.#unsaved !== null) await this.#save();
  }
  /** What the person should be notified of now; told once, also across restarts. */
  announcement(label, waiting) {
    const now = this.#parts.clock.now();
    const situation = { outage: this.outage, recoveryEndsAt: this.#gate.recoveryEndsAt(now), waiting };
    const next2 = announcement(label, situation, this.#told, now);
    if (next2 === null) return null;
    this.#told = next2.told;
    this.#unsaved ??= "numbers";
    return next2.text;
  }
  /** Asks the server at once how it is. If it is well, the gate need not wait any longer. */
  async health(signal) {
    if (!this.#server) return [`${this.name}: ${this.missing ?? "not configured"}`];
    const { client, libraries: libraries2 } = this.#server;
    const report = await checkHealth(client, libraries2, signal);
    const lines = healthInWords(report, this.name).map((line) => this.#inOwnWords(line));
    if (report.well && this.tryNow()) lines.push(`${this.name}: it is tried again now.`);
    return lines;
  }
  status(paused, queue, tally2) {
    const now = this.#parts.clock.now();
    const view = this.#gate.view(now);
    const held = paused ? "paused" : this.missing !== null ? "not configured" : null;
    return {
      url: this.#server && redact(this.#server.url),
      ...view,
      ...held !== null && {
        reason: paused ? 'Paused: nothing is sent until you run "Resume".' : this.missing ?? "",
        rate: { ...view.rate, perSecond: 0, limitedBy: held }
      },
      breaker: { ...view.breaker, cause: view.breaker.cause ?? this.missing },
      queue: { ...queue, parked: Math.min(queue.due, this.#gate.parked(now)) },
      done: tally2.done,
      retried: tally2.retried,
      failed: tally2.failed,
      filtered: tally2.filtered
    };
  }
  #inOwnWords(sentence2) {
    return this.#parts.inOwnWords?.(sentence2) ?? sentence2;
  }
  #worded(outcome) {
    return "message" in outcome ? { ...outcome, message: this.#inOwnWords(outcome.message) } : outcome;
  }
  /** The ledger speaks of another server: nothing in it is true of this one. */
  #recognise(machine) {
    if (this.#known !== null && this.#known !== machine) {
      this.ledger.disbelieve();
      this.isNewServer = true;
    }
    this.#known = machine;
  }
  async #save() {
    this.#saving ??= this.#write().finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }
  async #write() {
    const was = this.#unsaved;
    this.#unsaved = null;
    const document = { ...this.#gate.state, tried: this.#tried, server: this.#known, told: this.#told };
    const { state } = document.breaker;
    try {
      crashPoint(`gate.saving.${state}`);
      await saveDocument(this.#format, document);
      crashPoint(`gate.saved.${state}`);
    } catch (error) {
      this.#unsaved = was === "transition" ? was : this.#unsaved ?? was;
      throw error;
    }
  }
};

// src/worker/targets.ts
var ownTarget = "plex";
var notSet = {
  plexUrl: null,
  plexToken: null,
  plexLibraries: [],
  plexPathMap: [],
  plexTrustAnyCertificate: false
};
var archivedFolder = "archived";
var keptMs2 = 30 * 24 * 36e5;
var Targets = class {
  constructor(parts) {
    this.parts = parts;
  }
  parts;
  #running = /* @__PURE__ */ new Map();
  #names = [];
  #left = [];
  /** What scenes are queued for. */
  get names() {
    return this.#names;
  }
  /** Those that have left the settings since this was last asked. */
  takeLeft() {
    return this.#left.splice(0);
  }
  all() {
    return [...this.#running.values()];
  }
  /** A pass over everything begins. */
  relist() {
    for (const { target } of this.#running.values()) target.relist();
  }
  ring() {
    for (const { bell } of this.#running.values()) bell.ring();
  }
  /** At the start, before the settings are known: those that were in use before, and those of the file. */
  async begin({ servers }) {
    const hasLeft = (name) => this.parts.state.queue.memo(`left/${name}`) !== void 0;
    const before = foldersIn(this.parts.paths.targets).filter((name) => name !== archivedFolder);
    const names3 = new Set([ownTarget, ...before].filter((name) => !hasLeft(name)));
    for (const name of [...names3, ...servers.keys()]) await this.#use(name);
    if (this.#names.length === 0) await this.#use(ownTarget);
  }
  async configure(settings, { servers, problems }) {
    const wanted = /* @__PURE__ */ new Map();
    const [unreadable2 = null] = servers.size === 0 ? problems : [];
    if (unreadable2 !== null) {
      for (const name of this.#names) wanted.set(name, { settings: notSet, missing: unreadable2 });
      wanted.delete(ownTarget);
    }
    const isUnset = settings.plexUrl === null && settings.plexToken === null;
    if (!isUnset || servers.size + wanted.size === 0) {
      wanted.set(ownTarget, { settings, missing: missingSettings(settings) ?? settings.heldBecause });
    }
    for (const [name, { settings: own, problem }] of servers)
      wanted.set(name, { settings: own, missing: problem ?? settings.heldBecause });
    for (const name of this.#names) if (!wanted.has(name)) await this.#leave(name);
    for (const [name, { settings: own, missing }] of wanted)
      await this.#configure(name, own, settings, missing);
    this.#archiveOld();
  }
  async end() {
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    for (const { flights } of this.#running.values()) flights.close();
  }
  async #configure(name, server, settings, missing) {
    const { target, bell } = await this.#use(name);
    const isChanged = target.configure(server, settings, settings.flow, missing);
    if (isChanged) this.parts.state.queue.hurry(name);
    bell.ring();
  }
  async #use(name) {
    const known3 = this.#running.get(name);
    if (known3) return known3;
    const { paths, state, stash, notices, clientIdentifier, clock, random, log, keepUp, onNews } = this.parts;
    state.queue.setMemo(`left/${name}`, null);
    const folder = (0, import_node_path14.join)(paths.targets, name);
    const ledger = await state.ledger(name);
    const prefix = prefixOf(name);
    const ownLog = prefix === "" ? log : prefixed(log, prefix);
    const target = new Target({
      name,
      folder,
      ledger,
      clientIdentifier,
      clock,
      random,
      log: ownLog,
      due: () => state.queue.counts(name).due,
      keep: () => ledger.flush(),
      ...name !== ownTarget && { inOwnWords: (sentence2) => inServersFile(name, sentence2) }
    });
    const bell = new Bell();
    const flights = new FlightLog((0, import_node_path14.join)(folder, "in-flight.json"));
    const said = notices.about(name, prefix);
    const drain = new Drain({
      target,
      queue: state.queue,
      deadLetters: state.deadLetters,
      stash,
      flights,
      bell,
      clock,
      random,
      log: ownLog,
      notices: said,
      flush: state.flush,
      onNews
    });
    const stop = new AbortController();
    const ended = keepUp((signal) => drain.run(signal), stop.signal);
    const running = { target, notices: said, bell, stop, ended, flights };
    this.#running.set(name, running);
    this.#names = [...this.#running.keys()];
    return running;
  }
  async #leave(name) {
    const running = this.#running.get(name);
    if (!running) return;
    const { state, notices, clock, log } = this.parts;
    log.info(`${labelOf2(name)} is not in the settings any more. What waits for it is kept for 30 days.`);
    this.#running.delete(name);
    this.#names = [...this.#running.keys()];
    running.stop.abort();
    await running.ended;
    running.flights.close();
    await running.target.kept();
    await state.closeLedger(name);
    state.queue.setMemo(`left/${name}`, clock.now());
    notices.forget(name);
    this.#left.push(name);
  }
  #archiveOld() {
    const { paths, state, clock, log } = this.parts;
    const now = clock.now();
    for (const name of foldersIn(paths.targets)) {
      if (name === archivedFolder || this.#running.has(name)) continue;
      const left = Number(state.queue.memo(`left/${name}`) ?? now);
      if (state.queue.memo(`left/${name}`) === void 0 || left > now)
        state.queue.setMemo(`left/${name}`, now);
      if (now - left < keptMs2) continue;
      const to = (0, import_node_path14.join)(paths.targets, archivedFolder, `${name}-${iso(now).slice(0, 10)}`);
      try {
        (0, import_node_fs23.mkdirSync)((0, import_node_path14.join)(paths.targets, archivedFolder), { recursive: true, mode: privateFolder });
        (0, import_node_fs23.renameSync)((0, import_node_path14.join)(paths.targets, name), (0, import_node_fs23.existsSync)(to) ? `${to}-${now}` : to);
        state.queue.dropTarget(name);
        for (const [key2, letter] of [...state.deadLetters.entries()]) {
          if (letter.target === name) state.deadLetters.delete(key2);
        }
        log.info(`${labelOf2(name)} left the settings 30 days ago: what was kept of it is now in ${to}.`);
      } catch (error) {
        log.warn(`What was kept of ${labelOf2(name)} could not be archived: ${describeFileError(error)}.`);
      }
    }
  }
};
var labelOf2 = (name) => name === ownTarget ? "Plex" : `Plex server "${name}"`;
var prefixOf = (name) => name === ownTarget ? "" : `${name}: `;
var prefixed = (log, prefix) => ({
  debug: (message) => log.debug(prefix + message),
  info: (message) => log.info(prefix + message),
  warn: (message) => log.warn(prefix + message),
  error: (message) => log.error(prefix + message)
});
function foldersIn(dir) {
  try {
    return (0, import_node_fs23.readdirSync)(dir, { withFileTypes: true }).filter((entry3) => entry3.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

// src/worker/worker.ts
var foldEveryMs = 250;
var tickEveryMs = 1e3;
var tickApartMs = 200;
var afterFailureMs = 5e3;
var settingsPatienceMs = 5e3;
async function runWorker(options, stop) {
  const { paths, log, clock, lease } = options;
  let state;
  let worker = null;
  try {
    state = await openState(paths, lease, clock, log);
    worker = new Worker(options, state);
    await worker.begin();
  } catch (error) {
    await worker?.abandon();
    if (error instanceof LeaseLost) return "lease lost";
    if (!(error instanceof NewerState)) throw error;
    const notices = new Notices(paths.notice, log);
    notices.say("damage", error.message);
    await notices.save();
    return "newer state";
  }
  const reason = await worker.run(stop);
  if (reason === "lease lost") return reason;
  crashPoint("worker.idle");
  try {
    await state.close();
  } catch (error) {
    log.warn(`The state could not be tidied up at the end: ${describeFileError(error)}. Nothing is lost.`);
  }
  return reason;
}
var Worker = class {
  constructor(options, state) {
    this.options = options;
    this.state = state;
    const { paths, pluginDir, clock, log } = options;
    const { queue } = state;
    this.#notices = new Notices(paths.notice, log);
    this.#stash = new StashLink(paths.connection, pluginDir, clock, log, this.#notices);
    const clientIdentifier = String(queue.memo("plex-client") ?? (0, import_node_crypto3.randomUUID)());
    if (queue.memo("plex-client") === void 0) queue.setMemo("plex-client", clientIdentifier);
    this.#servers = new ServersFile(paths.servers, log);
    this.#targets = new Targets({
      ...options,
      state,
      stash: this.#stash,
      notices: this.#notices,
      clientIdentifier,
      keepUp: (loop, signal) => this.#keepUp("draining the queue", loop, signal),
      onNews: () => this.#bells.tick.ring()
    });
    this.#outages = new OutageBook(paths.outages, clock, log);
    this.#notifier = new Notifier(clock, log);
    const { deadLetters } = state;
    const targets = this.#targets;
    this.#advice = new Advice({ queue, targets, notices: this.#notices, clock });
    this.#schedule = new ReconcileSchedule({ queue, targets, clock });
    this.#questions = new Questions({
      targets,
      queue,
      deadLetters,
      stash: this.#stash,
      clock,
      freshSettings: () => this.#freshSettings(),
      ending: this.#ending.signal
    });
    this.#commands = new Commands({
      folder: paths.answers,
      queue,
      deadLetters,
      targets: this.#targets,
      clock,
      log,
      more: {
        explain: (args, tell) => this.#questions.explain(args, tell),
        dry_run: (args, tell) => this.#questions.dryRun(args, tell)
      },
      flush: state.flush,
      onLettersChanged: (target) => this.#onLettersChanged(target),
      onSyncAll: () => this.#advice.applied(),
      ring: () => this.#ringAll(),
      freshSettings: () => this.#freshSettings(),
      ending: this.#ending.signal
    });
    const reception = new Reception({
      ...options,
      queue,
      targets: this.#targets,
      stash: this.#stash,
      commands: this.#commands,
      flush: state.flush,
      forget: (scene) => {
        for (const { target } of this.#targets.all()) {
          target.ledger.remove(scene);
          deadLetters.delete(`${target.name}/${scene}`);
          this.#onLettersChanged(target.name);
        }
      }
    });
    this.#inbox = new InboxReader(paths, pluginDir, reception, clock, log);
    this.#busyAt = clock.now();
    this.#status = new StatusFile({
      ...options,
      state,
      stash: this.#stash,
      targets: this.#targets,
      inbox: this.#inbox
    });
    if (state.damage.length > 0) this.#tellDamage(state.damage);
  }
  options;
  state;
  #bells = {
    sweep: new Bell(),
    fanOuts: new Bell(),
    settings: new Bell(),
    tick: new Bell()
  };
  #notices;
  #stash;
  #servers;
  #targets;
  #outages;
  #notifier;
  #advice;
  #schedule;
  #questions;
  #inbox;
  #commands;
  #status;
  #ending = new AbortController();
  #reason = "stopped";
  #busyAt;
  #missingSince = null;
  /**
   * How often Stash was asked for the settings. Before the first time the notice of the worker before stands: most of
   * it is still so.
   */
  #looks = 0;
  /** The number of the look that was begun last, and of the last one that Stash answered. */
  #begunLooks = 0;
  #answeredLook = 0;
  /** Stash has said whom to notify, if anybody. */
  #knowsWhomToTell = false;
  async begin() {
    await this.#targets.begin(this.#servers.read());
  }
  /** What has begun already ends; nothing more is written. */
  async abandon() {
    this.#ending.abort();
    await this.#targets.end();
  }
  async run(stop) {
    const { clock, log } = this.options;
    const { queue, flush } = this.state;
    const { signal } = this.#ending;
    const onStop = () => this.#ending.abort();
    stop.addEventListener("abort", onStop);
    if (stop.aborted) onStop();
    const shared = { queue, targets: this.#targets, stash: this.#stash, clock, log, flush };
    const sweeper = new Sweeper({
      ...shared,
      reconcile: new Reconcile({
        ...shared,
        deadLetters: this.state.deadLetters,
        onLettersChanged: (target) => this.#onLettersChanged(target)
      }),
      bell: this.#bells.sweep,
      freshSettings: () => this.#freshSettings(),
      onProgress: async (name, sweep2, how) => {
        this.#targets.ring();
        await this.#commands.tellSweep(
          name,
          sweep2,
          how === "done",
          how === "stuck" ? this.#whyStuck() : null
        );
      }
    });
    const onQueued = () => this.#targets.ring();
    const fanOuts = new FanOuts({ ...shared, bell: this.#bells.fanOuts, onQueued });
    await Promise.all([
      this.#keepUp("reading the inbox", (ending) => this.#foldLoop(ending), signal),
      this.#keepUp("looking through the library", (ending) => sweeper.run(ending), signal),
      this.#keepUp("looking for scenes of what changed", (ending) => fanOuts.run(ending), signal),
      this.#keepUp("reading the settings", (ending) => this.#settingsLoop(ending), signal),
      this.#keepUp("keeping the status", (ending) => this.#tickLoop(ending), signal)
    ]);
    await this.#targets.end();
    this.#notifier.close();
    stop.removeEventListener("abort", onStop);
    if (this.#reason !== "lease lost") {
      if (this.#looks > 0) await this.#notices.save();
      await this.#status.write(false).catch(() => {
      });
    }
    return this.#reason;
  }
  async #foldLoop(signal) {
    const { clock } = this.options;
    while (!signal.aborted) {
      if (await this.#inbox.fold() > 0) {
        this.#busyAt = clock.now();
        if (!this.#stash.health.reachable) this.#bells.settings.ring();
        this.#ringAll();
      }
      await clock.sleep(foldEveryMs, signal);
    }
  }
  async #settingsLoop(signal) {
    const { clock, pollMs } = this.options;
    while (!signal.aborted) {
      if (this.#stash.retryAt <= clock.now()) await this.#readSettings(signal);
      const retryMs = this.#stash.retryAt - clock.now();
      await this.#bells.settings.wait(retryMs > 0 ? Math.min(retryMs, pollMs) : pollMs, clock, signal);
    }
  }
  async #freshSettings() {
    const { clock } = this.options;
    const begunBefore = this.#begunLooks;
    for (let waitedMs = 0; waitedMs < settingsPatienceMs; waitedMs += foldEveryMs) {
      this.#bells.settings.ring();
      await clock.sleep(foldEveryMs, this.#ending.signal);
      if (this.#answeredLook > begunBefore) return;
    }
  }
  async #readSettings(signal) {
    const { env, log, clock, pollMs } = this.options;
    const look = ++this.#begunLooks;
    try {
      const found = await this.#stash.ask((client) => client.pluginState(signal));
      const now = clock.now();
      this.#missingSince = found.enabled === null ? this.#missingSince ?? now : null;
      const isRemoved = this.#missingSince !== null && Math.abs(now - this.#missingSince) >= pollMs;
      if (found.enabled === false || isRemoved) {
        log.info("The plugin was disabled or removed in Stash. What waits is kept.");
        this.#end("not wanted");
        return;
      }
      const { settings, problems } = readSettings(found.settings, env);
      const servers = this.#servers.read();
      await this.#targets.configure(settings, servers);
      this.#answeredLook = look;
      this.#notifier.configure(settings.notifyUrl);
      this.#knowsWhomToTell = true;
      const said = this.#targets.all().flatMap(({ target }) => [target.missing, target.libraryProblem]);
      const isNews = (one) => one !== null && one !== settings.heldBecause;
      const sentences = new Set([...said, ...problems, ...servers.problems].filter(isNews));
      this.#notices.say("settings", [...sentences].join(" ") || null);
      this.#advice.give(settings);
      if (this.#schedule.beginWhenDue(settings)) this.#bells.sweep.ring();
    } catch (error) {
      if (!signal.aborted && !(error instanceof StashTrouble)) throw error;
    }
    this.#looks++;
  }
  async #tickLoop(signal) {
    const { clock, idleMs } = this.options;
    while (!signal.aborted) {
      await this.#tendTargets();
      if (this.#looks > 0) await this.#notices.save();
      await this.#stash.keep();
      await this.#status.write(true);
      if (this.#hasWork()) this.#busyAt = clock.now();
      else if (Math.abs(clock.now() - this.#busyAt) >= idleMs) this.#end("idle");
      await clock.sleep(tickApartMs, signal);
      await this.#bells.tick.wait(tickEveryMs - tickApartMs, clock, signal);
    }
  }
  /** What each target's gate has to tell by now: to its file, the list of outages, the notices, and the person. */
  async #tendTargets() {
    const { queue } = this.state;
    for (const name of this.#targets.takeLeft()) {
      this.#outages.observe(name, { outage: null, closedAt: null, waiting: 0 });
    }
    for (const { target, notices } of this.#targets.all()) {
      const { waiting } = queue.counts(target.name);
      const { outage, closedAt } = target;
      this.#outages.observe(target.name, { outage, closedAt, waiting });
      const waits = "Edits are kept and sent as soon as it is well again.";
      notices.say("plex", outage && `Nothing is sent to Plex: ${outage.cause} ${waits}`);
      const text2 = this.#knowsWhomToTell ? target.announcement(labelOf2(target.name), waiting) : null;
      await target.tick();
      if (text2 !== null) this.#notifier.tell(text2);
    }
    await this.#outages.save();
  }
  /** Runs a loop again after it failed, unless the failure ends everything. */
  async #keepUp(what, loop, signal) {
    const { clock, log } = this.options;
    while (!signal.aborted) {
      try {
        await loop(signal);
      } catch (error) {
        if (error instanceof LeaseLost) return this.#end("lease lost");
        if (isFileError(error)) {
          const { root } = this.options.paths;
          this.#notices.say(
            "disk",
            `Sluice cannot write to ${root}: ${describeFileError(error)}. Nothing is lost; it goes on by itself.`
          );
        } else log.error(`Something went wrong while ${what}; trying again. ${stackOf(error)}`);
        await clock.sleep(afterFailureMs, signal);
        this.#notices.say("disk", null);
      }
    }
  }
  #end(reason) {
    if (this.#ending.signal.aborted && reason !== "lease lost") return;
    this.#reason = reason;
    this.#ending.abort();
  }
  #whyStuck() {
    if (this.state.queue.isPaused) return 'Paused: it goes on after "Resume".';
    const reasons2 = this.#targets.all().map(({ target }) => target);
    const [first] = reasons2.filter((target) => !target.isAtEase);
    return first ? whyNotNow(first) : "It goes on in a moment.";
  }
  /** What keeps the worker: it will have something to do by itself, sooner or later. */
  #hasWork() {
    const { queue } = this.state;
    if (queue.sweeps().some(({ name }) => name !== "reconcile" || !queue.isPaused)) return true;
    if (queue.fanOuts > 0 || this.#inbox.count() > 0 || this.#questions.isBusy) return true;
    const targets = this.#targets.all().map(({ target }) => target);
    if (targets.some((target) => target.isRecovering)) return true;
    return !queue.isPaused && targets.some(({ name }) => queue.counts(name).waiting > 0);
  }
  #ringAll() {
    this.#targets.ring();
    for (const bell of [this.#bells.sweep, this.#bells.fanOuts, this.#bells.tick]) bell.ring();
  }
  #onLettersChanged(target) {
    if (!hasLettersOf(this.state.deadLetters, target)) this.#notices.say(`given-up/${target}`, null);
  }
  #tellDamage(files) {
    this.#notices.say(
      "damage",
      `The queue was damaged (${files.join(", ")}), so edits may be missing from it. All scenes are queued to be compared with Plex; nothing is to be done. The damaged files were kept.`
    );
  }
};

// src/worker/thread.ts
async function main() {
  const { stateDir, pluginDir, epoch, token: token2, idleMs, pollMs, debug } = import_node_worker_threads.workerData;
  const paths = statePaths(stateDir);
  const stop = new AbortController();
  import_node_worker_threads.parentPort?.on("message", () => stop.abort());
  const reason = await runWorker(
    {
      paths,
      pluginDir,
      lease: { epoch, token: token2 },
      clock: systemClock,
      random: Math.random,
      log: new FileLog(paths.log, systemClock, debug),
      env: process.env,
      idleMs,
      pollMs,
      wakeOther: (other, event, connection) => {
        const { pluginDir: theirs } = connection;
        const distDir = (0, import_node_path15.join)(theirs, "dist");
        leavePointer(distDir, other);
        wake(other, event, startDetached({ distDir, stateDir: other, pluginDir: theirs }));
      }
    },
    stop.signal
  );
  import_node_worker_threads.parentPort?.postMessage(reason);
  import_node_worker_threads.parentPort?.close();
}
void main();
