import { definePlugin, type GatewayPlugin } from '../../src/index.ts'

export interface CorsOptions {
  /** Where browsers may call from: `https://app.example.com`. */
  readonly origins: readonly string[]
}

/** Lets pages of these origins call the gateway and read its answers, errors and streams too. */
export function cors({ origins }: CorsOptions): GatewayPlugin {
  const allowed = new Set(origins)
  const originOf = (request: Request) => {
    const origin = request.headers.get('origin')
    return origin !== null && allowed.has(origin) ? origin : undefined
  }

  return definePlugin({
    name: 'cors',
    http: {
      onRequest({ request, endResponse, fetchAPI }) {
        const asked = request.headers.get('access-control-request-method')
        if (request.method !== 'OPTIONS' || asked === null || !originOf(request)) return
        const headers = {
          'access-control-allow-methods': asked,
          'access-control-allow-headers':
            request.headers.get('access-control-request-headers') ?? '',
          'access-control-max-age': '600',
        }
        endResponse(new fetchAPI.Response(null, { status: 204, headers }))
      },
      onResponse({ request, response }) {
        response.headers.append('vary', 'origin')
        const origin = originOf(request)
        if (!origin) return
        response.headers.set('access-control-allow-origin', origin)
        response.headers.set('access-control-expose-headers', 'x-request-id, retry-after')
      },
    },
  })
}
