// Shown beside an answer of diff: the page greets the client around it and takes in what diff says,
// which may be newer than what the page was made of.

function take(report) {
  const { specPath: path, sourcePath: target, summary, items } = report;
  let spec = specs.find((it) => it.path === path);
  if (!spec) {
    spec = { path, module: null, notes: [] };
    specs.push(spec);
  }
  const shown = items.slice(0, 100).map(({ severity, symbolName: symbol, description, location }) => {
    const [, file, line] = /^(.*?)(?::(\d+))?$/.exec(location);
    return { severity, symbol, description, file, line: Number(line || 0) };
  });
  Object.assign(spec, {
    target, is_gone: false, problem: null, high: summary.high, medium: summary.medium, low: summary.low,
    items: shown, more: summary.totalChanges - shown.length,
  });
  figures();
  find("states").replaceChildren();
  wanted.clear();
  states();
  find("find").value = path;
  show("drift");
}

if (data.links === null && parent !== window) {
  const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", (event) => {
    // Only the window around this one is heard.
    if (event.source !== parent) return;
    const { id, method, params } = event.data || {};
    if (method === "ui/notifications/tool-result" && !params.isError) {
      const text = (params.content || []).find((it) => it.type === "text")?.text;
      try { take(JSON.parse(text)); } catch { /* the answer of another tool */ }
    } else if (method && id !== undefined) {
      post({ id, result: {} });
    } else if (id === 1 && event.data.result) {
      post({ method: "ui/notifications/initialized" });
      post({ method: "ui/notifications/size-changed", params: { height: 720 } });
    }
  });
  post({ id: 1, method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo: { name: "reverse-spec-report", version: "1" }, appCapabilities: {} } });
}
