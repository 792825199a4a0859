import { describe, expect, test } from 'vitest'

import { answerJson, answerStream } from '../../../src/testing/fake-account.ts'
import { post, startOwner } from './owner.ts'

const made = { id: 'resp_2', object: 'response', output: [] }

/** Streams as event names and the statuses in their responses; `undefined` leaves the status out. */
const ended = [
  { event: 'response.completed', status: undefined, continues: true },
  { event: 'response.completed', status: null, continues: true },
  { event: 'response.completed', status: 'in_progress', continues: true },
  { event: 'response.completed', status: 'incomplete', continues: false },
  { event: 'response.incomplete', status: undefined, continues: false },
  { event: 'response.failed', status: undefined, continues: false },
  { event: 'response.failed', status: 'completed', continues: false },
] as const

describe('a chain does not end because an account leaves out the status', () => {
  test.each([
    { status: undefined, continues: true },
    { status: null, continues: true },
    { status: 'completed', continues: true },
    { status: 'incomplete', continues: false },
    { status: 'queued', continues: false },
    { status: 7, continues: false },
  ])('of a response in one piece ($status)', async ({ status, continues }) => {
    await using owner = await startOwner()
    owner.script = answerJson({ ...made, status })
    expect((await post(owner, '/v1/responses', {})).status).toBe(200)
    expect(await canContinue(owner)).toBe(continues)
  })

  test.each(ended)('of $event ($status)', async ({ event, status, continues }) => {
    await using owner = await startOwner()
    const response = { ...made, status }
    const delta = { type: 'response.output_text.delta', delta: 'hi' }
    owner.script = answerStream([frame(delta), frame({ type: event, response })])
    const body = JSON.stringify({ model: 'm', input: 'hi', stream: true })
    await (await owner.ask('POST', '/v1/responses', body)).text()
    expect(await canContinue(owner)).toBe(continues)
  })

  test('of a response in the background that is looked up', async () => {
    await using owner = await startOwner()
    owner.script = answerJson({ ...made, status: 'queued' })
    await post(owner, '/v1/responses', { background: true })
    expect(await canContinue(owner)).toBe(false)
    owner.script = answerJson(made)
    expect((await owner.ask('GET', '/v1/responses/resp_2')).status).toBe(200)
    expect(await canContinue(owner)).toBe(true)
  })
})

test.each([600, 5_000, 100_000])('a response with an id of %i characters binds', async (length) => {
  await using owner = await startOwner()
  const id = `resp_${'x'.repeat(length)}`
  owner.script = answerJson({ ...made, id, status: 'completed' })
  await post(owner, '/v1/responses', {})

  owner.script = answerJson({ ...made, id: 'resp_3', status: 'completed' })
  const chained = await post(owner, '/v1/responses', { previous_response_id: id })
  expect(chained.status).toBe(200)
  const other = `${id.slice(0, -1)}y`
  const unknown = await post(owner, '/v1/responses', { previous_response_id: other })
  expect(unknown).toMatchObject({
    status: 400,
    body: { error: { code: 'previous_response_not_found' } },
  })
})

async function canContinue(owner: Parameters<typeof post>[0]): Promise<boolean> {
  const { script } = owner
  owner.script = answerJson({ ...made, id: 'resp_3', status: 'completed' })
  const { status } = await post(owner, '/v1/responses', { previous_response_id: 'resp_2' })
  owner.script = script
  return status === 200
}

function frame(event: { type: string; response?: object; delta?: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
