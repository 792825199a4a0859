import { type ClientRequest, type IncomingMessage, get } from 'node:http'

import type { Invocation } from '../command.ts'
import { gatewayAddress } from './address.ts'

/**
 * `dragoman healthcheck`: 0 if the gateway answers its probe with 200 within two seconds. A container
 * runs it every few seconds, so that it loads next to nothing of the gateway.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const base = await gatewayAddress(invocation)
  const path = options['ready'] === undefined ? 'livez' : 'readyz'
  const probe = new URL(`${base.href.replace(/\/*$/, '/')}${path}`)
  const { isHealthy, message } = await askProbe(probe)
  if (isHealthy) terminal.out(message)
  else terminal.say(`dragoman: ${message}`)
  return isHealthy ? 0 : 1
}

/** How long an answer may take, in milliseconds. */
const longestMs = 2_000

/** The result of a probe of a running gateway. */
interface ProbeResult {
  readonly isHealthy: boolean
  /** One line, without a secret. */
  readonly message: string
}

/**
 * Sends a GET to a probe. Only the status 200 is healthy; the body is not read. Resolves within two
 * seconds, and never rejects.
 */
async function askProbe(url: URL): Promise<ProbeResult> {
  const shown = `${url.origin}${url.pathname}`
  const ask = url.protocol === 'https:' ? (await import('node:https')).get : get
  return new Promise((resolve) => {
    const end = (isHealthy: boolean, message: string) => {
      clearTimeout(timer)
      resolve({ isHealthy, message: `${shown} ${message}` })
      request.destroy()
    }
    // The timer holds where a server sends a byte now and then, which each restart an idle time.
    const timer = setTimeout(() => end(false, 'does not answer within 2 s.'), longestMs)
    const request: ClientRequest = ask(url, { agent: false }, ({ statusCode }: IncomingMessage) =>
      end(statusCode === 200, statusCode === 200 ? 'answers.' : `answers ${statusCode}.`),
    )
    request.on('error', (error: NodeJS.ErrnoException) =>
      end(false, `does not answer (${error.code ?? 'error'}).`),
    )
  })
}
