import type { ServerResponse } from 'node:http'

import { stylePath } from './page-style.ts'

/**
 * The page that asks for a token. Its script sends the token; it is never in a URL. `problem` is a text of
 * the gateway's own.
 */
export function signInPage(oidcPath: string | undefined, problem = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>Dragoman: sign in</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<h1>Dragoman: sign in to the admin API</h1>
<form id="sign-in" method="post" action="/session">
<label>Admin token <input id="token" type="password" autocomplete="off" required></label>
<button>Sign in</button>
</form>
${oidcPath === undefined ? '' : `<p><a href="${oidcPath}?return=/graphiql">Sign in with your organisation</a></p>`}
<p id="problem" role="alert">${problem}</p>
<p>Beside the gateway, <code>dragoman admin-tokens create</code> makes one; in a checkout,
<code>npm start -- admin-tokens create</code> does.</p>
<script src="/graphiql/sign-in.js"></script>
</body>
</html>
`
}

/**
 * Removes what GraphiQL has stored in the browser, credentials in mutations included: earlier versions left the
 * storage to it.
 */
export const clearScript = `for (const key of Object.keys(localStorage)) {
  if (key.startsWith('graphiql:')) localStorage.removeItem(key)
}
`

/** The script of `signInPage`. */
export const signInScript = `${clearScript}const form = document.querySelector('#sign-in')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const token = document.querySelector('#token').value
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-dragoman-console': '1' },
    body: JSON.stringify({ token, for: 'graphiql' }),
  })
  if (response.ok) return location.replace('/graphiql')
  const { errors } = await response.json()
  // The answer of the API is about requests without a token, too.
  const problem = response.status === 401 ? 'The token is wrong, expired or revoked.' : errors[0].message
  document.querySelector('#problem').textContent = problem
})
`

/**
 * The page after a sign-in at the provider, which leads on. A redirect would still count as the provider's, and browsers
 * would not send the cookie of the session with it.
 */
export function signedInPage(returnPath: string): string {
  // Relative to the path of the provider's answer, so that the prefix of a proxy stays.
  const url = textOf(`../..${returnPath}`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Dragoman: signed in</title>
</head>
<body><p>You are signed in. <a href="${url}">Continue</a></p></body>
</html>
`
}

/** The page for a browser whose sign-in at the provider was refused, on the way to the console. */
export function refusedPage(problem: string, returnPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>Dragoman: not signed in</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<h1>Not signed in</h1>
<p role="alert">${problem}</p>
<p><a href="${textOf(returnPath)}">Back to the console</a></p>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text inside of a page. Providers of OpenID Connect choose the ids of users. */
export function textOf(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!)
}

/** Answers with a page. */
export function sendPage(
  response: ServerResponse,
  status: number,
  page: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(response, status, 'text/html; charset=utf-8', page, headers)
}

/** Answers with a text of any type. */
export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': String(Buffer.byteLength(text)),
      ...headers,
    })
    .end(text)
}
