import { expect } from 'vitest'

import type { DialectName } from '../requests/dialects.ts'

export interface ErrorBody {
  readonly type?: string
  readonly request_id?: string
  readonly error: {
    readonly code: number
    readonly message: string
    readonly details: unknown
    readonly type?: string
    readonly param?: unknown
    readonly status?: string
  }
}

/** How an error of a kind looks in each dialect: the words that its SDK reads. */
export interface ErrorWords {
  readonly openai: string
  readonly anthropic: string
  readonly google: string
}

export const words = {
  invalid: {
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
  },
  authentication: {
    openai: 'authentication_error',
    anthropic: 'authentication_error',
    google: 'UNAUTHENTICATED',
  },
  notFound: {
    openai: 'invalid_request_error',
    anthropic: 'not_found_error',
    google: 'NOT_FOUND',
  },
} satisfies Record<string, ErrorWords>

/** The answer is an error in its dialect's envelope, whole. Resolves with its body. */
export async function expectError(
  dialect: DialectName | 'general',
  response: Response,
  status: number,
  kind?: ErrorWords,
): Promise<ErrorBody> {
  const body = (await response.json()) as ErrorBody
  expect({ status: response.status, body }).toMatchObject({ status, body: {} })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  const { error } = body
  expect(error).toMatchObject({
    code: dialect === 'messages' && status === 503 ? 529 : status,
    message: expect.stringMatching(/./) as string,
  })
  expect(Array.isArray(error.details)).toBe(true)
  if (dialect === 'messages') {
    const requestId = response.headers.get('x-request-id')
    expect(body).toMatchObject({ type: 'error', request_id: requestId })
    expect(response.headers.get('request-id')).toBe(requestId)
    if (kind) expect(error.type).toBe(kind.anthropic)
  } else if (dialect === 'generate') {
    expect(Object.keys(body)).toEqual(['error'])
    expect(error.status).toMatch(/^[A-Z_]+$/)
    if (kind) expect(error.status).toBe(kind.google)
  } else {
    expect(Object.keys(body)).toEqual(['error'])
    expect(error).toHaveProperty('param')
    if (kind) expect(error.type).toBe(kind.openai)
  }
  return body
}
