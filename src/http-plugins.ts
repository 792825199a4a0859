import { Response, type ServerAdapterPlugin } from '@whatwg-node/server'

import { errorFormat } from './error-format.ts'
import { toGatewayError } from './errors.ts'
import type { GatewayPlugin, HttpContext } from './plugin.ts'

/**
 * The adapter answers what an edge plugin throws with its stack trace. So each hook is wrapped: a
 * throw becomes a clean answer and a line in the log.
 */
export function guardHttpPlugins(
  plugins: readonly GatewayPlugin[],
  report: (message: string, error: unknown) => void,
): ServerAdapterPlugin<HttpContext>[] {
  return plugins.flatMap(({ name, http }) =>
    http ? [guard(http, (hook, error) => report(`${name}: ${hook} failed`, error))] : [],
  )
}

function guard(
  plugin: ServerAdapterPlugin<HttpContext>,
  report: (hook: string, error: unknown) => void,
): ServerAdapterPlugin<HttpContext> {
  const { onRequest, onResponse, instrumentation } = plugin
  const guarded: ServerAdapterPlugin<HttpContext> = { ...plugin }
  if (onRequest) {
    guarded.onRequest = async (payload) => {
      try {
        await onRequest(payload)
      } catch (error) {
        report('onRequest', error)
        payload.endResponse(cleanError(error))
      }
    }
  }
  if (onResponse) {
    guarded.onResponse = async (payload) => {
      try {
        await onResponse(payload)
      } catch (error) {
        report('onResponse', error)
        payload.setResponse(cleanError(error))
      }
    }
  }
  const around = instrumentation?.request
  if (around) {
    guarded.instrumentation = {
      ...instrumentation,
      request: async (payload, wrapped) => {
        let begun = false
        const once = () => {
          begun = true
          return wrapped()
        }
        try {
          await around(payload, once)
        } catch (error) {
          report('instrumentation', error)
          if (!begun) await wrapped()
        }
      },
    }
  }
  return guarded
}

function cleanError(thrown: unknown): Response {
  const { status, body } = errorFormat(toGatewayError(thrown))
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}
