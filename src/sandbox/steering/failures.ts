import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { Problem } from '../problem.ts'
import type { Provider } from '../provider.ts'
import type { Delivery } from '../wire/run-steps.ts'
import { denialOf, limitOf } from './denials.ts'
import type { Directives } from './directives.ts'

/** Counts the `flaky` requests of all accounts, so that another account answers after a failure. */
export type FlakyCounter = { requests: number }

/**
 * Carries out the delay and the failure that the directives demand before the reply.
 * Returns true if the request has its reply; throws the error that a directive demands.
 */
export async function injectFailure(
  directives: Directives,
  provider: Provider,
  flaky: FlakyCounter,
  delivery: Delivery,
): Promise<boolean> {
  const { response, signal } = delivery
  if (directives.delay) await sleep(directives.delay, undefined, { signal })
  if (directives.flaky && flaky.requests++ % 2 === 0) throw directedProblem(directives, 503)
  if (directives.status !== undefined) throw directedProblem(directives, directives.status)
  if (directives.deny !== undefined) throw denialOf(provider, directives.deny)
  if (directives.limit !== undefined) {
    throw limitOf(provider, directives.limit, retryHeaders(directives))
  }
  if (directives.reset) return reset(delivery)
  if (directives.redirect) return send(response, 302, { location: '/redirected' }, '')
  if (directives.html !== undefined) return send(response, directives.html, htmlType, htmlPage)
  if (directives.badjson) return send(response, 200, jsonType, '{"this is": not JSON')
  return false
}

/** The error that `status`, `code`, `message` and the retry directives describe. */
export function directedProblem(directives: Directives, status: number): Problem {
  const headers = retryHeaders(directives)
  const message = directives.message ?? `sandbox: status ${status}, as directed`
  return new Problem(status, message, { code: directives.code, headers })
}

function retryHeaders(directives: Directives): Record<string, string> {
  const headers: Record<string, string> = {}
  if (directives['retry-after'] !== undefined) headers['retry-after'] = directives['retry-after']
  if (directives['retry-after-ms'] !== undefined)
    headers['retry-after-ms'] = String(directives['retry-after-ms'])
  return headers
}

const htmlType = { 'content-type': 'text/html; charset=utf-8' }
const jsonType = { 'content-type': 'application/json' }
const htmlPage = '<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>'

function reset(delivery: Delivery): boolean {
  delivery.complete()
  delivery.response.socket?.resetAndDestroy()
  return true
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): boolean {
  response.writeHead(status, headers).end(body)
  return true
}
