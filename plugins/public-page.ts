import { hash } from 'node:crypto'

import { defineDialect } from '../src/contract/dialect.ts'
import { defineOperation } from '../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { errorEnvelope } from '../src/kit/error-envelope.ts'

/** The endpoints that most clients look for, below the address of this page. */
const endpoints: readonly (readonly [name: string, endpoint: string])[] = [
  ['OpenAI chat completions', 'POST /v1/chat/completions'],
  ['OpenAI responses', 'POST /v1/responses'],
  ['Anthropic messages', 'POST /v1/messages'],
  ['Gemini', 'POST /v1beta/models/{model}:generateContent'],
  ['Images', 'POST /v1/images/generations'],
  ['Videos', 'POST /v1/videos'],
  ['Models of your key', 'GET /v1/models'],
  ['All endpoints, in OpenAPI', 'GET /openapi.json'],
]

const docs = 'https://github.com/dragoman-gateway/dragoman#readme'
const key =
  'Ask the operator of this gateway for an API key. Operators make one in the console of the admin address, or with `dragoman keys create`.'

/** Serves `GET /`: a page for a browser, otherwise JSON, for those who look where they have come to. */
export function publicPage(): GatewayPlugin {
  const show = defineOperation({
    id: 'public-page.show',
    method: 'GET',
    paths: ['/'],
    auth: 'none',
    hidden: true,
    summary: 'The endpoints of this gateway',
    serve({ request }) {
      const isBrowser = request.headers.accept?.includes('text/html') ?? false
      return {
        status: 200,
        headers: {
          ...common,
          'content-type': isBrowser ? 'text/html; charset=utf-8' : 'application/json',
        },
        body: isBrowser ? page : json,
      }
    },
  })
  const dialect = defineDialect({
    id: 'public-page',
    credential: () => undefined,
    error: errorEnvelope,
    operations: [show],
  })
  return definePlugin({ name: 'public-page', dialects: [dialect] })
}

const style = `body { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; margin: 12vh auto; max-width: 46rem; padding: 0 1.5rem }
th { font-weight: 400; padding: 0.2rem 2rem 0.2rem 0; text-align: left }`

const common = {
  'cache-control': 'no-cache',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  vary: 'accept',
  'x-content-type-options': 'nosniff',
}

const json = JSON.stringify({
  name: 'Dragoman',
  description: 'A gateway for model inference.',
  endpoints: Object.fromEntries(endpoints),
  docs,
  key,
})

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Dragoman</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<h1>Dragoman</h1>
<p>This is the address of a gateway for model inference. Programs call it, with an API key:</p>
<table>
${endpoints.map(([name, endpoint]) => `<tr><th scope="row">${name}</th><td><code>${endpoint}</code></td></tr>`).join('\n')}
</table>
<p>${key.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>
<p><a href="${docs}">Documentation</a></p>
</body>
</html>
`
