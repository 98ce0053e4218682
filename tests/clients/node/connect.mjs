// What the two TypeScript clients have in common: read the targets, visit each, print what was seen.
//
// The first argument is a JSON array of targets, each one of
//   { "command": "…", "args": ["…"], "cwd": "…" }   { "http": "url" }   { "sse": "url" }
// with an optional "mode" and an optional "call": { "name": "…", "arguments": { … } }.
// One line of JSON is printed for each target, in order.

/** Connects to every target in turn and prints one line for each. */
export async function visitAll(connect) {
  for (const target of JSON.parse(process.argv[2])) {
    const { client, protocolVersion } = await connect(target);
    try {
      console.log(JSON.stringify(await look(client, protocolVersion(), target)));
    } finally {
      await client.close();
    }
  }
}

async function look(client, protocolVersion, target) {
  const capabilities = client.getServerCapabilities();
  const names = (items) => items.map((item) => item.name);
  return {
    protocolVersion,
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    tools: capabilities.tools ? names((await client.listTools()).tools) : null,
    prompts: capabilities.prompts ? names((await client.listPrompts()).prompts) : null,
    resources: capabilities.resources ? names((await client.listResources()).resources) : null,
    called: target.call ? await client.callTool(target.call) : null,
  };
}
