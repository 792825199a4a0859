import { z } from 'zod'

import { roles } from '../contract/roles.ts'
import { isProxyEntry } from '../exchange/client.ts'
import { isHostOrNetwork } from '../lib/forbidden-hosts.ts'
import { isLoopbackHost } from '../lib/hosts.ts'
import { defaultCredentialPlaces, metadataHosts } from './credential-places.ts'
import { adminAddressSchema } from './endpoints.ts'
import { keyTime, secretHash } from './key-schema.ts'
import {
  expects,
  flag,
  identifier,
  optional,
  required,
  secret,
  withDefault,
} from './schema-nodes.ts'

/** The schema of a role. */
const roleSchema = z.enum(roles).meta(expects("'viewer', 'operator' or 'admin'", 'viewer'))

/** The schema of an admin token. `checkAdminTokens` requires exactly one of `secret` and `hash`. */
export const adminTokenSchema = z
  .strictObject({
    id: required(identifier, 'Identifies the token in the audit log.'),
    secret: optional(
      secret,
      'The token that operators send. At least 32 random characters; `env:NAME` reads them from the environment. A token has either `secret` or `hash`.',
      'none',
    ),
    hash: optional(
      secretHash,
      '`sha256:` and the 64 hex digits of the SHA-256 of the secret. It keeps the secret out of the file.',
      'none',
    ),
    role: required(
      roleSchema,
      'What the token permits: `viewer` reads; `operator` also steers what runs; `admin` also changes keys, accounts and tokens.',
    ),
    expiresAt: optional(
      keyTime,
      'When the token expires: an ISO 8601 date, an ISO 8601 time with its zone, or milliseconds since 1970. In TypeScript also a `Date`.',
      'never',
    ),
  })
  .meta({ oneOf: [{ required: ['secret'] }, { required: ['hash'] }] })

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
  .meta({
    ...expects('a URL with https, or with http on a loopback address', 'https://login.example.com'),
    url: true,
  })

/** The path at which the provider of OpenID Connect hands users back. */
export const oidcCallbackPath = '/session/oidc/callback'

const redirectUrl = z
  .string()
  .refine((url) => isUrl(url, ({ pathname }) => pathname === oidcCallbackPath))
  .meta({
    ...expects(
      `a URL of the admin address with the path ${oidcCallbackPath}`,
      `https://admin.example.com${oidcCallbackPath}`,
    ),
    url: true,
  })

const text = z.string().min(1).max(200)

const place = z
  .string()
  .max(1_000)
  .regex(/^(?:env:[A-Za-z_*][\w*]*|file:\/[^\0]*)$/)
  .meta(expects('`env:` and the name of a variable, or `file:` and an absolute path', 'env:ACME_*'))

const oidcSchema = z
  .strictObject({
    issuer: required(issuer, 'The issuer, which publishes its endpoints (discovery).'),
    clientId: required(
      text.meta(expects('the id of the client at the provider', 'dragoman')),
      'The id of this gateway at the provider.',
    ),
    clientSecret: required(
      secret,
      'The secret of this gateway at the provider; `env:NAME` reads it from the environment.',
    ),
    scopes: withDefault(
      z
        .array(text.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/))
        .meta(expects('a list of scopes', ['openid', 'profile', 'groups'])),
      'The scopes that it asks for. Some providers name groups only with a scope of their own.',
      ['openid', 'profile', 'email'],
    ),
    groupsClaim: withDefault(
      text.meta(expects('the name of a claim', 'groups')),
      "The claim of the ID token, otherwise of the user's data, that has a list of groups.",
      'groups',
    ),
    roles: required(
      z
        .record(text, roleSchema)
        .refine((roles) => Object.keys(roles).length > 0)
        .meta(expects('a map from groups to roles', { 'gateway-admins': 'admin' })),
      'The role of each group; the greatest of several. A user without any of these groups cannot sign in.',
    ),
    redirectUrl: optional(
      redirectUrl,
      'Where the provider hands users back, as registered there.',
      `\`${oidcCallbackPath}\` at the host that the browser names`,
    ),
  })
  .meta(
    expects('an object of settings', {
      issuer: 'https://login.example.com',
      clientId: 'dragoman',
      clientSecret: 'env:OIDC_SECRET',
      roles: { 'gateway-admins': 'admin' },
    }),
  )

const accountsSchema = z
  .strictObject({
    forbid: withDefault(
      z
        .array(
          z
            .string()
            .refine(isHostOrNetwork)
            .meta(
              expects('a host name, an address or a network in CIDR notation', '169.254.0.0/16'),
            ),
        )
        .meta(expects('a list of hosts and networks', ['169.254.0.0/16', 'fe80::/10'])),
      'Hosts, addresses and networks that no account of the store may reach, also where its name resolves to them; through a proxy, which resolves names itself, only as its `baseUrl` or `options` name them. The default has the addresses at which clouds serve credentials of a machine.',
      [...metadataHosts],
    ),
  })
  .meta(expects('an object of settings', { forbid: ['169.254.0.0/16', 'fe80::/10'] }))

/** How long sessions of browsers may rest, in milliseconds: by default, at least, and at most. */
export const sessionIdle = { usual: 30 * 60_000, least: 5 * 60_000, most: 12 * 60 * 60_000 }

const sessionsSchema = z
  .strictObject({
    idleMs: withDefault(
      z
        .int()
        .min(sessionIdle.least)
        .max(sessionIdle.most)
        .meta({
          ...expects(
            `a whole number of milliseconds from ${sessionIdle.least} to ${sessionIdle.most}`,
            3_600_000,
          ),
          unit: 'milliseconds',
        }),
      'A session ends when its user has done nothing for this long: the console then hides what it shows, and asks for a sign-in. What pages ask for by themselves, and streams, do not count.',
      sessionIdle.usual,
    ),
  })
  .meta(expects('an object of settings', { idleMs: 3_600_000 }))

/** The schema of `admin`, where that is an object. */
export const adminSchema = adminAddressSchema.extend({
  tokens: withDefault(
    z
      .array(adminTokenSchema)
      .meta(
        expects('a list of admin tokens', [{ id: 'ops', secret: 'env:OPS_TOKEN', role: 'viewer' }]),
      ),
    'Admin tokens, in addition to those in the store. A reload takes effect without a restart.',
    [],
  ),
  allowedHosts: withDefault(
    z.array(hostName).meta(expects('a list of host names', ['admin.example.com'])),
    'Hosts at which browsers and proxies reach the admin address, besides loopback addresses and the address itself. With any other Host only probes are answered.',
    [],
  ),
  trustedProxies: withDefault(
    proxiesSchema,
    'Proxies before the admin address whose headers about the client count, as with the top-level `trustedProxies`.',
    [],
  ),
  console: withDefault(
    flag,
    'Whether the admin address serves the [console](console.md). `false`: `/` leads to GraphiQL, and the API works as before.',
    true,
  ),
  traceUrl: optional(
    z
      .string()
      .refine(isTraceUrl)
      .meta({
        ...expects(
          'an http(s) URL that has {traceId}',
          'https://traces.example.com/trace/{traceId}',
        ),
        pattern: '^https?://\\S*\\{traceId\\}\\S*$',
      }),
    'The page of a trace in your tracing system, `{traceId}` in the place of its id: the console links calls to it.',
    'none',
  ),
  credentials: withDefault(
    z
      .array(place)
      .meta(expects('a list of places', ['env:ACME_*', 'file:/run/secrets/accounts/*'])),
    'Where credentials of accounts of the store may be: `env:NAME` and `file:/path`, in which `*` stands for any characters but a slash. An administrator can send the content of these places to any address, so list places of such credentials alone. A place that another setting names is permitted only if it is the `apiKey` of an account with the same base URL; other variables of the gateway and files of its store are never permitted.',
    [...defaultCredentialPlaces],
  ),
  accounts: withDefault(accountsSchema, 'What administrators may do with accounts of the store.', {
    forbid: [...metadataHosts],
  }),
  sessions: withDefault(sessionsSchema, 'Sessions of browsers.', { idleMs: sessionIdle.usual }),
  oidc: optional(oidcSchema, 'Sign-in by OpenID Connect.', 'none'),
})

/** Whether a text is an http(s) URL without credentials, in which an id may stand. */
function isTraceUrl(text: string): boolean {
  const url = URL.parse(text.replaceAll('{traceId}', '0'))
  if (!url || !text.includes('{traceId}') || /\s/.test(text)) return false
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function isUrl(text: string, isRight: (url: URL) => boolean): boolean {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.hash !== '' || url.search !== '') return false
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
  return isSafe && isRight(url)
}
