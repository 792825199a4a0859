import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { describeError } from '../../lib/log.ts'
import type { Principal } from '../principal.ts'
import type { AdminServices } from '../services.ts'
import { graphiqlPath, pageStyle, stylePath } from './page-style.ts'
import { startScript } from './graphiql-start.ts'
import { sendPage, sendText, signInPage, signInScript, textOf } from './pages.ts'
import { sendHttpError, wrongMethod } from './http-error.ts'
import { rolePage, signOutForm, signOutScript } from './role-page.ts'
import type { AdminRequest } from './admin-request.ts'
import type { AuthenticateRequest } from './authentication.ts'
import { maySendDocuments } from './persisted.ts'
import { proofOf, sessionCookieOf } from './cookies.ts'
import { isPage } from './site.ts'

/**
 * Scripts and workers come from files of the own address. GraphiQL's editor makes its styles itself, and
 * its fonts and pictures are `data:` URLs.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'font-src data:',
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The bar above GraphiQL, which otherwise takes the whole window. */
const barStyle = `body {
  display: flex;
  flex-direction: column;
  height: 100vh;
}
#root {
  flex: 1;
  min-height: 0;
}
#root .graphiql-container {
  height: 100%;
}
#bar {
  align-items: center;
  background: Canvas;
  color: CanvasText;
  color-scheme: light dark;
  display: flex;
  font: 0.875rem/1.5 system-ui, sans-serif;
  gap: 1rem;
  justify-content: flex-end;
  padding: 0.25rem 0.75rem;
}
#bar p {
  margin: 0;
}
`

/** The page for an admin. A token in a header has no session that could end. */
const pageFor = ({ id, kind }: Principal, proof: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Dragoman GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${graphiqlPath}/graphiql.css">
<link rel="stylesheet" href="${graphiqlPath}/bar.css">
</head>
<body class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
<div id="bar"><span>Signed in as <strong>${textOf(id)}</strong></span>
${kind === 'session' ? signOutForm(proof) : ''}</div>
<div id="root" data-proof="${proof}"></div>
<script src="${graphiqlPath}/workers.js"></script>
<script src="${graphiqlPath}/graphiql.js"></script>
<script src="${graphiqlPath}/start.js"></script>
</body>
</html>
`

const workersScript = `self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) =>
    '${graphiqlPath}/' + ({ json: 'json', graphql: 'graphql' }[label] ?? 'editor') + '.worker.js',
}
`

const script = 'text/javascript; charset=utf-8'
const css = 'text/css; charset=utf-8'

/** The files of the package that GraphiQL consists of. */
type Bundle = Readonly<
  Record<'js' | 'css' | 'editorWorkerService' | 'jsonWorker' | 'graphqlWorker', string>
>

const bundled: Readonly<Record<string, readonly [type: string, part: keyof Bundle]>> = {
  'graphiql.js': [script, 'js'],
  'graphiql.css': [css, 'css'],
  'editor.worker.js': [script, 'editorWorkerService'],
  'json.worker.js': [script, 'jsonWorker'],
  'graphql.worker.js': [script, 'graphqlWorker'],
}

const small: Readonly<Record<string, readonly [type: string, text: string]>> = {
  'workers.js': [script, workersScript],
  'start.js': [script, startScript],
  'bar.css': [css, barStyle],
}

/** Options of `createGraphiQL`. */
interface GraphiQLOptions extends Pick<AdminServices, 'log'> {
  readonly authenticateRequest: AuthenticateRequest
  /** Where a sign-in by OpenID Connect begins, if it is configured. */
  readonly oidcPath: () => string | undefined
}

/** A compressed file with its tag. */
interface Packed {
  readonly type: string
  readonly bytes: Buffer
  readonly tag: string
}

const zip = promisify(gzip)

/**
 * Serves GraphiQL to admins, a page of what they can use to other roles, and a page to sign in to everybody
 * else. Its package has 9 MB: it is loaded
 * with the first file of it that is asked for, and stays compressed.
 */
export function createGraphiQL({
  authenticateRequest,
  oidcPath,
  log,
}: GraphiQLOptions): (incoming: AdminRequest) => Promise<void> {
  const packed = new Map<string, Promise<Packed>>()

  function fileOf(name: string): Promise<Packed> | undefined {
    const known = packed.get(name)
    if (known) return known
    const load = loaderOf(name)
    if (!load) return undefined
    const file = load().then(pack)
    packed.set(name, file)
    file.catch(() => packed.delete(name))
    return file
  }

  return async (incoming) => {
    const { request, response } = incoming
    if (request.method !== 'GET') return sendHttpError(response, wrongMethod('GET'))
    const path = request.url!.replace(/\?.*$/s, '')
    const name = path.slice(graphiqlPath.length + 1)
    response.setHeader('content-security-policy', policy)
    // Another policy than the console's: a page of the console that opens this page gets no hold of it.
    response.setHeader('cross-origin-opener-policy', 'same-origin-allow-popups')
    if (path === stylePath) return sendText(response, 200, css, pageStyle)
    if (name === 'sign-in.js') return sendText(response, 200, script, signInScript)
    if (name === 'sign-out.js') return sendText(response, 200, script, signOutScript)
    const authentication = await authenticateRequest(incoming, 'page')
    const isAdmin = 'principal' in authentication && authentication.principal.role === 'admin'
    const mayUse = isAdmin && maySendDocuments(authentication.principal)
    if (!mayUse && name !== '')
      return sendHttpError(
        response,
        'httpError' in authentication ? authentication.httpError : forbidden,
      )
    if ('httpError' in authentication) {
      const { status, headers, message } = authentication.httpError
      const problem = status === 401 ? '' : message
      return sendPage(response, status, signInPage(oidcPath(), problem), headers)
    }
    if (!isAdmin)
      return sendPage(response, 403, rolePage(authentication.principal, originOf(incoming)))
    // A session of the console sends the operations of the console alone.
    if (!mayUse) return sendPage(response, 403, signInPage(oidcPath(), signInAgain))
    if (name === '') {
      if (!isPage(request)) return sendHttpError(response, noPage)
      const session = sessionCookieOf(incoming)
      const proof = session ? proofOf(session.cookie) : ''
      return sendPage(response, 200, pageFor(authentication.principal, proof))
    }
    try {
      const file = await fileOf(name)
      if (file) return sendFile(request, response, file)
    } catch (error) {
      log.warn('GraphiQL cannot be loaded', describeError(error))
      return sendHttpError(response, notInstalled)
    }
    return sendHttpError(response, {
      status: 404,
      code: 'NOT_FOUND',
      message: 'There is no such file.',
    })
  }
}

/** As the browser names it; a proxy that is not trusted does not say that it speaks https. */
function originOf({ request, client }: AdminRequest): string {
  return `http${client.isSecure ? 's' : ''}://${request.headers.host}`
}

const signInAgain = 'GraphiQL needs a sign-in of its own: it sends any document.'

const noPage = {
  status: 403,
  code: 'NOT_A_PAGE',
  message: 'GraphiQL is a page of its own, not a part of another one.',
}

const forbidden = { status: 403, code: 'FORBIDDEN', message: 'GraphiQL is for the role admin.' }

const notInstalled = {
  status: 501,
  code: 'NOT_INSTALLED',
  message: 'The optional package @graphql-yoga/render-graphiql is not installed.',
}

function loaderOf(
  name: string,
): (() => Promise<readonly [type: string, text: string]>) | undefined {
  const own = Object.hasOwn(small, name) ? small[name] : undefined
  if (own) return async () => own
  const [type, part] = (Object.hasOwn(bundled, name) && bundled[name]) || []
  if (type === undefined || part === undefined) return undefined
  return async () => {
    const bundle: Bundle = await import('@graphql-yoga/render-graphiql/graphiql')
    return [type, bundle[part]]
  }
}

async function pack([type, text]: readonly [type: string, text: string]): Promise<Packed> {
  return {
    type,
    bytes: await zip(text, { level: 6 }),
    tag: `"${hash('sha256', text, 'base64url')}"`,
  }
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: Packed): void {
  response.setHeader('etag', file.tag)
  response.setHeader('cache-control', 'private, no-cache')
  if (request.headers['if-none-match'] === file.tag) {
    response.writeHead(304).end()
    return
  }
  response
    .writeHead(200, {
      'content-type': file.type,
      'content-encoding': 'gzip',
      'content-length': String(file.bytes.length),
    })
    .end(file.bytes)
}
