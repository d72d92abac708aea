// Asks `inwit mcp` for everything it offers, with the official TypeScript SDK.
//
// Arguments: the folder that holds `node_modules`, and a plan in JSON: `command`, `calls` (tool to arguments)
// and `prompts` (name to arguments). Prints what came back as one line of JSON. The SDK holds every
// structured answer against the tool's output schema.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, text] = process.argv.slice(2);
const plan = JSON.parse(text);
const { resolve } = createRequire(`${folder}/`);
const load = (part) => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/client/${part}`)));
const { Client } = await load("index.js");
const { StdioClientTransport } = await load("stdio.js");

const [command, ...args] = plan.command;
const client = new Client({ name: "inwit-test", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: plan.env, cwd: plan.folder }));
const told = { tools: {}, resources: {}, prompts: {}, unplanned: [] };
told.server = client.getServerVersion().name;
told.instructions = client.getInstructions();
for (const tool of (await client.listTools()).tools) {
  const planned = plan.calls[tool.name];
  if (planned === undefined) {
    told.unplanned.push(tool.name);
    continue;
  }
  const result = await client.callTool({ name: tool.name, arguments: planned });
  told.tools[tool.name] = { failed: Boolean(result.isError), answer: result.structuredContent };
}
told.templates = (await client.listResourceTemplates()).resourceTemplates.length;
for (const resource of (await client.listResources()).resources) {
  const { contents } = await client.readResource({ uri: resource.uri });
  told.resources[resource.uri] = contents.reduce((sum, content) => sum + content.text.length, 0);
}
for (const prompt of (await client.listPrompts()).prompts) {
  const planned = plan.prompts[prompt.name];
  if (planned === undefined) {
    told.unplanned.push(prompt.name);
    continue;
  }
  const made = await client.getPrompt({ name: prompt.name, arguments: planned });
  told.prompts[prompt.name] = made.messages.length;
}
await client.close();
console.log(JSON.stringify(told));
