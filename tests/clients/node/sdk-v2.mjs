// The TypeScript client 2.x, which speaks both eras: "mode" is "auto" or "legacy".

import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { visitAll } from "./connect.mjs";

function transportTo(target) {
  if (target.http) return new StreamableHTTPClientTransport(new URL(target.http));
  if (target.sse) return new SSEClientTransport(new URL(target.sse));
  return new StdioClientTransport(target);
}

await visitAll(async (target) => {
  const options = target.mode === "auto" ? { versionNegotiation: { mode: "auto" } } : {};
  const client = new Client({ name: "plumbline-tests", version: "1.0.0" }, options);
  await client.connect(transportTo(target));
  return { client, protocolVersion: () => client.getNegotiatedProtocolVersion() };
});
