import type { ServerResponse } from 'node:http'

import { endIfEarly } from '../../http/end-early.ts'
import type { ConsoleBuild, ConsoleFile, ReadConsole } from '../console-build.ts'
import { sendHttpError, wrongMethod } from './http-error.ts'
import { stylePath } from './page-style.ts'
import { sendPage } from './pages.ts'
import { consolePath } from './return-path.ts'
import type { AdminRequest } from './admin-request.ts'

/** Whether a path is of the console, or leads to it. */
export function isOfConsole(path: string): boolean {
  return path === '/' || path === consolePath || path.startsWith(`${consolePath}/`)
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** A page of the console is at most this deep: each level makes the page longer. */
const deepest = 16

const assets = 'assets/'

/** Serves the files of the console, which are public, and its one page for every other path below it. */
export function createConsoleRoutes(
  readConsole: ReadConsole,
): (incoming: AdminRequest, path: string) => Promise<void> {
  return async ({ request, response }, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendHttpError(response, wrongMethod('GET, HEAD'))
    endIfEarly(response)
    // Relative, so that the prefix of a proxy stays.
    if (path === '/' || path === consolePath)
      return void response.writeHead(302, { location: `${consolePath.slice(1)}/` }).end()
    const build = await readConsole()
    const name = path.slice(consolePath.length + 1)
    const file = build?.files.get(name)
    if (file) return sendFile(response, file, name)
    const depth = name.split('/').length - 1
    // Names of models have dots as well, so only the browser knows whether it opens a page.
    const isPage = !name.includes('.') || request.headers.accept?.includes('text/html')
    if (name.startsWith(assets) || !isPage || depth > deepest)
      return sendHttpError(response, notFound)
    response.setHeader('content-security-policy', policy)
    if (build) return sendPage(response, 200, pageAt(build, depth))
    return sendPage(response, 503, waitingPage(depth), { 'retry-after': '2' })
  }
}

const notFound = { status: 404, code: 'NOT_FOUND', message: 'There is no such file.' }

/** The page with URLs that are right at a depth: the policy permits no `<base>`. */
function pageAt({ page }: ConsoleBuild, depth: number): string {
  return depth === 0 ? page : page.replaceAll('="./', `="${'../'.repeat(depth)}`)
}

const waitingPage = (depth: number) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="2">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>Dragoman: the console is being built</title>
<link rel="stylesheet" href="${'../'.repeat(depth + 1)}${stylePath.slice(1)}">
</head>
<body>
<h1>The console is being built</h1>
<p>This page opens it as soon as it is there. If that does not happen, <code>npm run build</code> in the checkout
shows why. The gateway and its admin API work meanwhile.</p>
</body>
</html>
`

function sendFile(response: ServerResponse, file: ConsoleFile, name: string): void {
  const { encoding, bytes } = packedFor(response.req.headers['accept-encoding'], file)
  if (name.startsWith(assets)) {
    // The name changes with the content.
    response.setHeader('cache-control', 'public, max-age=31536000, immutable')
  }
  if (encoding !== undefined) response.setHeader('content-encoding', encoding)
  response
    .writeHead(200, {
      'content-type': file.type,
      'content-length': String(bytes.length),
      vary: 'accept-encoding',
    })
    .end(bytes)
}

function packedFor(
  header: string | string[] = '',
  { bytes, br, gzip }: ConsoleFile,
): { encoding?: string; bytes: Buffer } {
  const accepted = String(header).toLowerCase().split(',')
  const takes = (encoding: string) =>
    accepted.some((one) => {
      const [name, ...parameters] = one.replaceAll(/\s/g, '').split(';')
      return name === encoding && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each))
    })
  if (br && takes('br')) return { encoding: 'br', bytes: br }
  if (gzip && takes('gzip')) return { encoding: 'gzip', bytes: gzip }
  return { bytes }
}
