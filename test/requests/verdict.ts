import { expect } from 'vitest'

import type { DialectName } from './dialects.ts'
import type { PostOptions, Service } from './service.ts'

/** The request is passed on. */
export async function expectAccepted(
  service: Service,
  dialect: DialectName,
  fields: object,
  options?: PostOptions,
): Promise<void> {
  const before = service.upstream.requests.length
  const response = await service.ask(dialect, fields, options)
  const answer = await response.text()
  expect({ fields, status: response.status, answer }).toMatchObject({ fields, status: 200 })
  expect(service.upstream.requests).toHaveLength(before + 1)
}

/** The request is answered 400 in its dialect's envelope, naming the field; nobody is asked. */
export async function expectRefused(
  service: Service,
  dialect: DialectName,
  fields: object,
  param: string,
  options?: PostOptions,
): Promise<void> {
  const before = service.upstream.requests.length
  const response = await service.ask(dialect, fields, options)
  const body = (await response.json()) as { error?: { message?: string } }
  expect({ fields, status: response.status, body }).toMatchObject({ fields, status: 400 })
  expect(body.error?.message).toContain(`\`${param}\``)
  expect(service.upstream.requests).toHaveLength(before)
}
