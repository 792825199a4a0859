import { z } from 'zod'

import { roleSchema } from './admin-schema.ts'
import { isProxyEntry } from '../http/trusted-proxies.ts'
import { defaultCredentialPlaces } from './credential-places.ts'
import { described, expects, secret } from './schema-nodes.ts'

const hostName = z
  .string()
  .regex(/^(?:[A-Za-z\d](?:[\w.-]*[A-Za-z\d])?|\[[\dA-Fa-f:.]{2,45}\])(?::\d{1,5})?$/)
  .meta(expects('a host name or address, with or without a port', 'admin.example.com'))

/** The schema of a list of proxies. */
export const proxiesSchema = z
  .array(
    z
      .string()
      .refine(isProxyEntry)
      .meta(
        expects('an address, a network in CIDR notation, `loopback` or `private`', '10.0.0.0/8'),
      ),
  )
  .meta(expects('a list of addresses and networks', ['10.0.0.0/8']))

const issuer = z
  .string()
  .refine((url) => isUrl(url, () => true))
  .meta(
    expects('a URL with https, or with http on a loopback address', 'https://login.example.com'),
  )

/** The path at which the provider of OpenID Connect hands users back. */
export const oidcCallbackPath = '/session/oidc/callback'

const redirectUrl = z
  .string()
  .refine((url) => isUrl(url, ({ pathname }) => pathname === oidcCallbackPath))
  .meta(
    expects(
      `a URL of the admin address with the path ${oidcCallbackPath}`,
      `https://admin.example.com${oidcCallbackPath}`,
    ),
  )

const text = z.string().min(1).max(200)

const place = z
  .string()
  .max(1_000)
  .regex(/^(?:env:[A-Za-z_*][\w*]*|file:\/[^\0]*)$/)
  .meta(expects('`env:` and the name of a variable, or `file:` and an absolute path', 'env:ACME_*'))

const oidcSchema = z
  .strictObject({
    issuer: described(issuer, 'The issuer, which publishes its endpoints (discovery).'),
    clientId: described(
      text.meta(expects('the id of the client at the provider', 'dragoman')),
      'The id of this gateway at the provider.',
    ),
    clientSecret: described(
      secret,
      'The secret of this gateway at the provider; `env:NAME` reads it from the environment.',
    ),
    scopes: described(
      z
        .array(text.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/))
        .meta(expects('a list of scopes', ['openid', 'profile', 'groups'])),
      'The scopes that it asks for. Some providers name groups only with a scope of their own.',
      { defaultText: '`openid`, `profile` and `email`' },
    ).optional(),
    groupsClaim: described(
      text.meta(expects('the name of a claim', 'groups')),
      "The claim of the ID token, otherwise of the user's data, that has a list of groups.",
      { defaultText: '`groups`' },
    ).optional(),
    roles: described(
      z
        .record(text, roleSchema)
        .refine((roles) => Object.keys(roles).length > 0)
        .meta(expects('a map from groups to roles', { 'gateway-admins': 'admin' })),
      'The role of each group; the greatest of several. A user without any of these groups cannot sign in.',
    ),
    redirectUrl: described(
      redirectUrl,
      'Where the provider hands users back, as registered there.',
      { defaultText: `\`${oidcCallbackPath}\` at the host that the browser names` },
    ).optional(),
  })
  .meta(
    expects('an object of settings', {
      issuer: 'https://login.example.com',
      clientId: 'dragoman',
      clientSecret: 'env:OIDC_SECRET',
      roles: { 'gateway-admins': 'admin' },
    }),
  )

/** The settings of `admin` that say how browsers and proxies reach it, and who signs in by OpenID Connect. */
export const adminAccessShape = {
  allowedHosts: described(
    z.array(hostName).meta(expects('a list of host names', ['admin.example.com'])),
    'Hosts at which browsers and proxies reach the admin address, besides loopback addresses and the address itself. With any other Host only probes are answered.',
    { defaultText: 'none' },
  ).optional(),
  trustedProxies: described(
    proxiesSchema,
    'Proxies before the admin address whose headers about the client count, as those of the top-level `trustedProxies`.',
    { defaultText: 'none' },
  ).optional(),
  credentials: described(
    z.array(place).meta(expects('a list of places', ['env:ACME_*', 'file:/run/secrets/*'])),
    'Where credentials of accounts of the store may be: `env:NAME` and `file:/path`, in which `*` stands for any characters but a slash. An administrator can send what is there to any address, so list places of such credentials alone. Places that other settings name, variables of the gateway and files of its store are never permitted.',
    { default: [...defaultCredentialPlaces] },
  ).optional(),
  oidc: described(oidcSchema, 'Sign-in by OpenID Connect.', { defaultText: 'none' }).optional(),
}

function isUrl(text: string, isRight: (url: URL) => boolean): boolean {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.hash !== '' || url.search !== '') return false
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
  return isSafe && isRight(url)
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
