import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Provider } from 'oidc-provider'

import { oidcCallbackPath } from '../../../src/configuration/admin-schema.ts'

/** A provider of OpenID Connect, whose users sign in without a question. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  /** Who signs in next. */
  user: { id: string; groups: unknown }
  /** How often its endpoints were asked for. */
  discoveries: number
  /** Registers the gateway. */
  register(adminUrl: string): void
}

/** The secret of the gateway at the provider. */
export const clientSecret = 'client-secret-canary-0123456789'

/** Starts a provider. With `inToken` the groups are in ID tokens, otherwise in the user's data. */
export async function startProvider({ inToken = true } = {}): Promise<TestProvider> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: TestProvider = {
    issuer,
    user: { id: 'alice', groups: [] },
    discoveries: 0,
    register(adminUrl) {
      listener = listenerOf(self, adminUrl, inToken)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return self
}

function listenerOf(self: TestProvider, adminUrl: string, inToken: boolean): RequestListener {
  const provider = new Provider(self.issuer, {
    clients: [
      {
        client_id: 'dragoman',
        client_secret: clientSecret,
        redirect_uris: [`${adminUrl}${oidcCallbackPath}`],
      },
    ],
    claims: { openid: ['sub'], groups: ['groups'] },
    scopes: ['openid', 'groups'],
    conformIdTokenClaims: !inToken,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['cookie-key'] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, groups: self.user.groups }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  })
  const callback = provider.callback()
  return (request, response) => {
    if (request.url!.startsWith('/.well-known/openid')) self.discoveries++
    if (!request.url!.startsWith('/interaction/')) return callback(request, response)
    void (async () => {
      const { params } = await provider.interactionDetails(request, response)
      const accountId = self.user.id
      const grant = new provider.Grant({ accountId, clientId: params.client_id })
      grant.addOIDCScope(params.scope)
      const consent = { grantId: await grant.save() }
      await provider.interactionFinished(request, response, { login: { accountId }, consent })
    })()
  }
}

/** Cookies of a browser, by host. */
export type Jar = Map<string, string>

/** Fetches as a browser does, without following redirects. */
export async function visit(jar: Jar, url: string): Promise<Response> {
  const { host } = new URL(url)
  const cookie = [...jar]
    .filter(([key]) => key.startsWith(`${host} `))
    .map(([key, value]) => `${key.slice(host.length + 1)}=${value}`)
    .join('; ')
  const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/Max-Age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(`${host} ${name}`)
    else jar.set(`${host} ${name}`, value)
  }
  return response
}

/** Follows redirects until one leads to `end`, or to none; the last URL, which is not fetched if it is `end`. */
export async function follow(jar: Jar, start: string, end: string): Promise<string> {
  let url = start
  while (!url.startsWith(end)) {
    const response = await visit(jar, url)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url}: ${response.status} ${await response.text()}`)
    url = new URL(location, url).href
  }
  return url
}
