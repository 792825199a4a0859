/** The request as the bytes a keep-alive client would send. */

import { clientKey } from './subjects/subject.ts'
import { requestBody, type WorkloadName } from './workloads.ts'

export const requestPath = '/v1/chat/completions'

/** The headers of every request, plus those one subject needs. */
export function requestHeaders(extra: Record<string, string> = {}): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${clientKey}`,
    ...extra,
  }
}

export function requestBytes(
  port: number,
  workload: WorkloadName,
  extra?: Record<string, string>,
): Buffer {
  const body = requestBody(workload)
  const headers = {
    host: `127.0.0.1:${port}`,
    ...requestHeaders(extra),
    'content-length': body.length,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${requestPath} HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}
