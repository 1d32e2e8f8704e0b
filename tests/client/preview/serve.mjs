/** Serves the table with made-up views, for tests of its look alone: `node serve.mjs PORT`. */
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const client = join(here, "../../../clients/reference_js");
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml" };

function file(path) {
  if (path === "/") return join(client, "table/index.html");
  if (path.startsWith("/preview/")) return join(here, normalize(path.slice(8)));
  return join(client, normalize(path));
}

createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  try {
    const body = await readFile(file(pathname));
    response.writeHead(200, { "Content-Type": TYPES[extname(file(pathname))] ?? "application/octet-stream" });
    response.end(body);
  } catch {
    response.writeHead(404, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ status: 404, code: "not_found", title: "Not found" }));
  }
}).listen(Number(process.argv[2] ?? 8099), "127.0.0.1", function () {
  console.log(`ready on ${/** @type {any} */ (this).address().port}`);
});
