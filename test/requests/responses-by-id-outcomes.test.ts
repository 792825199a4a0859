import { expect, test } from 'vitest'

import type { Outcome } from '../../src/contract/outcome.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { startOwner } from '../walks/chaining/owner.ts'

const done = { status: 'completed', fault: 'none' }

const output = [
  { type: 'reasoning', id: 'rs_1' },
  { type: 'message', id: 'msg_1' },
]
const items = ['rs_1', 'msg_1']
const discloses = items.map((id) => ({ kind: 'item', id }))
const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
const tokens = { inputTokens: 1, outputTokens: 2 }

const stored = (status: string) => ({
  id: 'x1',
  object: 'response',
  model: 'm-1',
  status,
  output,
  usage,
})
/** The end of the stored response, which charges the call that ordered it. */
const ended = (status: string) => ({ status, usage: tokens })
const produced = (binds: 'own' | 'chain') => ({ kind: 'response', id: 'x1', model: 'm-1', binds })

interface Row {
  call: string
  /** What its account answers. */
  reply: object
  /** What there is to be remembered. */
  outcome: object
}

/** Looking something up uses nothing, however what is found has ended. */
const lookUps: Row[] = [
  ...['queued', 'in_progress'].map((status) => ({
    call: 'GET /v1/responses/x1',
    reply: stored(status),
    outcome: { ...done, produced: produced('own'), items, discloses },
  })),
  ...['incomplete', 'failed', 'cancelled'].map((status) => ({
    call: 'GET /v1/responses/x1',
    reply: stored(status),
    outcome: { ...done, produced: produced('own'), items, discloses, ended: ended(status) },
  })),
  {
    call: 'GET /v1/responses/x1',
    reply: stored('completed'),
    outcome: { ...done, produced: produced('chain'), items, discloses, ended: ended('completed') },
  },
  {
    call: 'POST /v1/responses/x1/cancel',
    reply: stored('cancelled'),
    outcome: { ...done, produced: produced('own'), items, discloses, ended: ended('cancelled') },
  },
  {
    call: 'GET /v1/responses/x1/input_items',
    reply: { data: output },
    outcome: { ...done, discloses },
  },
  { call: 'GET /v1/conversations/x1', reply: { id: 'x1' }, outcome: done },
  {
    call: 'GET /v1/conversations/x1/items',
    reply: { data: output },
    outcome: { ...done, discloses },
  },
  {
    call: 'GET /v1/conversations/x1/items/msg_1',
    reply: { id: 'msg_1' },
    outcome: { ...done, discloses: [{ kind: 'item', id: 'msg_1' }] },
  },
  ...[{ type: 'mcp_tool_execution_error', content: [] }, 'The tool failed.'].map((error) => ({
    call: 'GET /v1/conversations/x1/items/mcp_1',
    reply: { id: 'mcp_1', type: 'mcp_call', name: 'f', arguments: '{}', output: null, error },
    outcome: { ...done, discloses: [{ kind: 'item', id: 'mcp_1' }] },
  })),
]

const changes: Row[] = [
  {
    call: 'DELETE /v1/responses/x1',
    reply: { id: 'x1', object: 'response', deleted: true },
    outcome: { ...done, deleted: { kind: 'response', id: 'x1' } },
  },
  {
    call: 'DELETE /v1/conversations/x1',
    reply: { id: 'x1', object: 'conversation.deleted', deleted: true },
    outcome: { ...done, deleted: { kind: 'conversation', id: 'x1' } },
  },
  { call: 'DELETE /v1/conversations/x1/items/msg_1', reply: { id: 'x1' }, outcome: done },
  {
    call: 'POST /v1/conversations',
    reply: { id: 'conv_2', object: 'conversation' },
    outcome: {
      ...done,
      produced: { kind: 'conversation', id: 'conv_2', model: undefined, binds: 'own', seed: {} },
    },
  },
]

const works: Row[] = [
  {
    call: 'POST /v1/responses {"model":"m","input":"hi"}',
    reply: stored('queued'),
    outcome: {
      status: 'incomplete',
      fault: 'none',
      produced: produced('own'),
      items,
      discloses,
      usage: tokens,
    },
  },
  {
    call: 'POST /v1/responses/input_tokens {"model":"m"}',
    reply: { object: 'response.input_tokens', input_tokens: 3 },
    outcome: done,
  },
  {
    call: 'POST /v1/responses/compact {"model":"m"}',
    reply: { id: 'resp_2', object: 'response.compaction', output, usage },
    outcome: {
      ...done,
      finishReasons: ['completed'],
      produced: { kind: 'compaction', id: 'resp_2', model: undefined },
      items,
      discloses,
      usage: tokens,
    },
  },
]

test.each([...lookUps, ...changes, ...works])('$call, $reply.status', async (row) => {
  const outcomes: Outcome[] = []
  const watching = definePlugin({
    name: 'watching',
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
  await using owner = await startOwner({ plugins: [watching] })
  owner.script = answerJson(row.reply)
  const [method = '', path = '', body] = row.call.split(' ')
  const before = outcomes.length

  expect((await owner.ask(method, path, body)).status).toBe(200)

  expect(outcomes.slice(before)).toEqual([row.outcome])
})
