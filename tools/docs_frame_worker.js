// A page that was opened as a file may start no worker. This runs the worker's script in a hidden frame instead, so that
// the search of the documentation works without a server.
if (location.protocol === "file:") {
  window.Worker = class FrameWorker extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.inner = frame.contentWindow
      this.inner.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      this.inner.importScripts = (...urls) => Promise.all(urls.map(one => this.load(one)))
      this.ready = this.load(url)
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.inner.document.createElement("script")
        Object.assign(script, { src: url, onload: resolve, onerror: reject })
        this.inner.document.body.append(script)
      })
    }

    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data })))
    }

    terminate() {}
  }
}
