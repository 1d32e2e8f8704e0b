/**
 * Writes the types of the server's OpenAPI document: `node types.mjs openapi.json [sdk/openapi.d.ts]`.
 * Only the components: the calls themselves are the SDK's methods.
 */
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const [from, to = new URL("sdk/openapi.d.ts", import.meta.url)] = process.argv.slice(2);
if (!from) throw new Error("node types.mjs openapi.json");
const text = from.startsWith("http") ? await (await fetch(`${from}/openapi.json`)).text() : await readFile(from, "utf8");
const document = { ...JSON.parse(text), paths: {}, webhooks: undefined };
const types = astToString(await openapiTS(document, { silent: true }));
await writeFile(to, `// From the server's /openapi.json, by \`npm run types\`. Not to be edited.\n${types}`);
