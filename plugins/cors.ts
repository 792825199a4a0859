import { z } from 'zod'

import type { Reply } from '../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import type { ClientRequest } from '../src/contract/request.ts'

const origin = z
  .string()
  .regex(
    /^(\*|https?:\/\/(\*\.)?[\w.-]+(:\d{1,5})?)$/,
    'is no origin such as https://app.example.com',
  )
  .meta({
    secret: false,
    fix: 'write https://app.example.com, https://*.example.com or *: a scheme and a host, without a path',
  })

/** The options. */
export const options = z.strictObject({
  /** Where pages may call from: `https://app.example.com`, `https://*.example.com`, or `*` for everywhere. */
  origins: z.array(origin).min(1),
  /** How long browsers remember the answer to a preflight, in seconds. */
  maxAgeSeconds: z.int().min(0).max(86_400).default(600),
})

/** In characters. A browser's list of headers is far shorter. */
const mostHeaders = 4_096

/** Names of headers, with commas between them. */
const headerNames = /^[\w!#$%&'*+.^`|~, -]*$/

/**
 * Lets pages of these origins call the gateway, and read its replies, errors and streams (CORS, Fetch Standard 3.2).
 * The API key is a header, so that no cookies are allowed.
 */
export default function cors(given: z.input<typeof options>): GatewayPlugin {
  const { origins, maxAgeSeconds } = options.parse(given)
  const patterns = origins.map(patternOf)

  function allowedOrigin({ headers }: ClientRequest): string | undefined {
    const from = headers.origin
    return from !== undefined && patterns.some((pattern) => pattern.test(from)) ? from : undefined
  }

  return definePlugin({
    name: 'cors',
    warnings: ({ before }) =>
      before.includes('ip-lists')
        ? ['pages cannot read the refusals of ip-lists: list cors before it']
        : [],
    async onExchange({ exchange: { request }, next }) {
      const from = allowedOrigin(request)
      const preflight = from === undefined ? undefined : preflightReply(request, maxAgeSeconds)
      return withOrigin(preflight ?? (await next()), from)
    },
  })
}

function patternOf(allowed: string): RegExp {
  if (allowed === '*') return /^/
  const text = allowed.replaceAll('.', '\\.').replace('*', '[a-z0-9-]+(\\.[a-z0-9-]+)*')
  return new RegExp(`^${text}$`)
}

/** The reply to a browser that asks before its request; `undefined` for other requests. */
function preflightReply(
  { method, headers }: ClientRequest,
  maxAgeSeconds: number,
): Reply | undefined {
  const wanted = headers['access-control-request-method']
  if (method !== 'OPTIONS' || wanted === undefined) return undefined
  const names = headers['access-control-request-headers'] ?? ''
  const allowed = names.length <= mostHeaders && headerNames.test(names) ? names : ''
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': allowed,
      'access-control-max-age': String(maxAgeSeconds),
    },
    body: null,
  }
}

/** A reply depends on the origin also where it is not allowed: caches must not mix them. */
function withOrigin(reply: Reply, from: string | undefined): Reply {
  const { vary } = reply.headers
  const headers = { ...reply.headers, vary: vary === undefined ? 'origin' : `${vary}, origin` }
  if (from === undefined) return { ...reply, headers }
  return {
    ...reply,
    headers: {
      ...headers,
      'access-control-allow-origin': from,
      // Without cookies the star stands for all headers.
      'access-control-expose-headers': '*',
    },
  }
}
