import { expect } from 'vitest'

import type { Form } from './forms.ts'

/** The error at the end of a broken stream, as its dialect tells it. */
export interface ToldError {
  /** The HTTP status that it would have had. */
  readonly status: number
  readonly message: string
}

/** Reads what follows the good bytes, and insists on the one form that the dialect's SDKs read. */
export function readToldError({ name }: Form, tail: string): ToldError {
  switch (name) {
    case 'responses':
      return readResponses(tail)
    case 'chat':
      return readChat(tail)
    case 'messages':
      return readMessages(tail)
    case 'generate':
      return readGenerate(onlyData(tail))
    case 'generate-array':
      return readGenerate(JSON.parse(tail.replace(/^(,\n|\[)/, '')) as Json)
  }
}

type Json = Record<string, unknown>

function readResponses(tail: string): ToldError {
  const frames = tail.split('\n\n')
  expect(frames.splice(-2)).toEqual(['data: [DONE]', ''])
  const [error, failed] = frames.map(dataOf)
  expect(frames[0]).toMatch(/^event: error\n/)
  const nested = error?.error as Json
  expect(error).toMatchObject({ type: 'error', message: nested.message, code: expect.any(String) })
  expect(nested).toMatchObject({ details: expect.any(Array), type: expect.any(String) })
  if (failed) {
    expect(frames[1]).toMatch(/^event: response\.failed\n/)
    const response = { id: 'resp_1', status: 'failed', error: { message: nested.message } }
    expect(failed).toMatchObject({ type: 'response.failed', response })
    expect(failed.sequence_number).toBe((error?.sequence_number as number) + 1)
  }
  return told(nested)
}

function readChat(tail: string): ToldError {
  const { error } = onlyData(tail) as { error: Json }
  expect(error).toMatchObject({ type: expect.any(String), details: expect.any(Array) })
  return told(error)
}

function readMessages(tail: string): ToldError {
  expect(tail).toMatch(/^event: error\ndata: /)
  const event = dataOf(tail)
  expect(event).toMatchObject({ type: 'error', request_id: expect.stringMatching(/^req_/) })
  const error = event.error as Json
  expect(error.type).toMatch(/_error$/)
  return told(error)
}

function readGenerate(chunk: Json): ToldError {
  expect(Object.keys(chunk)).toEqual(['error'])
  const error = chunk.error as Json
  expect(error).toMatchObject({
    status: expect.stringMatching(/^[A-Z_]+$/),
    details: expect.any(Array),
  })
  return told(error)
}

function told({ code, message }: Json): ToldError {
  expect(code).toEqual(expect.any(Number))
  expect(message).toEqual(expect.any(String))
  return { status: code as number, message: message as string }
}

function onlyData(tail: string): Json {
  expect(tail).toMatch(/^data: .*\n\n$/)
  return dataOf(tail)
}

function dataOf(frame: string): Json {
  return JSON.parse(frame.slice(frame.indexOf('data: ') + 'data: '.length)) as Json
}
