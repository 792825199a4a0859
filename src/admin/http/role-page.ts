import type { Principal } from '../principal.ts'
import { stylePath } from './page-style.ts'
import { textOf } from './pages.ts'

/** The rights of each role, for the page in place of GraphiQL. */
const rights: Readonly<Record<Principal['role'], string>> = {
  viewer: 'It reads, and changes nothing.',
  operator: 'It reads, and steers what runs: accounts, jobs, bindings and exchanges.',
  admin: 'It may do everything.',
}

/** The path of `signOutScript`. */
const signOutPath = '/graphiql/sign-out.js'

/**
 * The page of a user whose role GraphiQL is not for: who is signed in, what the role can use instead, and
 * how to sign out. `origin`: the scheme and host of the admin address, as the browser named it.
 */
export function rolePage({ id, role, kind }: Principal, origin: string): string {
  const base = textOf(origin)
  const user = textOf(id)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>Dragoman: signed in</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<h1>Signed in</h1>
<p>You are signed in as <strong>${user}</strong>, with the role <strong>${role}</strong>. ${rights[role]}</p>
<p>GraphiQL is for the role admin. Use the admin API from a shell instead, with an admin token of your role
in the variable <code>DRAGOMAN_ADMIN_TOKEN</code>:</p>
<pre>dragoman accounts list --url ${base}
dragoman tail --url ${base}
curl -s ${base}/graphql -H "authorization: Bearer $DRAGOMAN_ADMIN_TOKEN" \\
  -H "content-type: application/json" -d '{"query": "{ viewer { id role } }"}'</pre>
<p>An administrator makes tokens with <code>dragoman admin-tokens create --role ${role}</code>.</p>
${kind === 'session' ? signOutForm() : ''}</body>
</html>
`
}

/** A button that ends the session, and its script. `proof`: of the session for GraphiQL. */
export const signOutForm = (
  proof = '',
) => `<form id="sign-out" method="post" action="/session" data-proof="${proof}">
<button>Sign out</button>
</form>
<p id="problem" role="alert"></p>
<script src="${signOutPath}"></script>
`

/** The script of `signOutForm`. */
export const signOutScript = `const form = document.querySelector('#sign-out')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { proof } = form.dataset
  const headers = { 'x-dragoman-console': '1', ...(proof && { 'x-dragoman-graphiql': proof }) }
  const response = await fetch('/session', { method: 'DELETE', headers })
  // A session that is over already is no problem.
  if (response.ok || response.status === 401) return location.replace('/graphiql')
  const { errors } = await response.json()
  document.querySelector('#problem').textContent = errors[0].message
})
`
