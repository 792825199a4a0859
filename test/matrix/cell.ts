import assert from 'node:assert/strict'

import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import type { Answering, Case, Seen } from './cases/case.ts'
import type { Call, Conversation, Problem, Reply, Result } from './conversation.ts'
import type { Pair } from './dialects.ts'
import { drivers } from './drivers/index.ts'
import { type Outcome, servedWithout } from './outcome.ts'
import { readReceived } from './received/index.ts'
import { recordFetch } from './recorded-fetch.ts'

export interface Cell extends Pair {
  readonly case: Case
  readonly stream: boolean
}

/** What the matrix says must become of a cell. */
export function expectedOutcome({ case: row, client, account }: Cell): Outcome {
  return row.outcomes?.[`${client} on ${account}`] ?? 'served'
}

/**
 * Has the client's SDK talk through a gateway to an account that speaks one dialect. Throws unless
 * both sides saw what the case demands; a refusal of the request is an outcome like another.
 */
export async function observe(cell: Cell): Promise<Outcome> {
  const { case: row, client, account, stream } = cell
  await using sandbox = await startSandbox()
  await using gateway = await openGateway(cell, sandbox)
  const { fetch, lost } = recordFetch()
  const { url, key } = gateway
  const { settings } = row
  const conversation = drivers[client].open({ url, key, model: 'm', stream, settings, fetch })

  const { replies, problem } = await talk(cell, conversation)

  const received = sandbox.requests.map((request) => readReceived(account, request))
  const seen: Seen = { client, account, stream, replies, received }
  if (problem && !row.checkProblem) return refused(problem, cell, sandbox)
  assert.equal(problem === undefined, row.checkProblem === undefined, 'the last turn fails')
  if (problem) row.checkProblem?.(problem, seen)
  row.check(seen)
  return servedWithout(lost)
}

function openGateway({ case: { upstream }, account, stream }: Cell, { url }: Sandbox) {
  const steering =
    typeof upstream === 'string' ? upstream : stream ? upstream.stream : upstream.json
  return createTestGateway({
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: url,
        apiKey: 'sandbox-key-a',
        speaks: [account],
        models: { m: `sandbox/${steering}` },
      },
    ],
  })
}

interface Talk {
  readonly replies: readonly Reply[]
  readonly problem?: Problem
}

async function talk({ case: row, client }: Cell, conversation: Conversation): Promise<Talk> {
  const replies: Reply[] = []
  try {
    for (const turn of row.turns) {
      const calls = replies.at(-1)?.calls ?? []
      const reply =
        typeof turn === 'function'
          ? conversation.answer(inAnyOrder(calls.map((call, index) => resultOf(turn, call, index))))
          : conversation.say(turn)
      replies.push(await reply)
    }
    return { replies }
  } catch (error) {
    return { replies, problem: drivers[client].problemOf(error) }
  }
}

function resultOf(turn: Answering, call: Call, index: number): Result {
  return { call, text: turn(call, index) }
}

/** Results that name their calls are told backwards, as if the last tool had been the fastest. */
function inAnyOrder(results: readonly Result[]): readonly Result[] {
  return results.every(({ call }) => call.id) ? results.toReversed() : results
}

/** An account that does not speak the client's dialect must not even have been asked. */
function refused(problem: Problem, { client, account }: Cell, { requests }: Sandbox): Outcome {
  const { status, field, message } = problem
  assert.equal(status, 400, message)
  assert.ok(field, `A refusal names no field: ${message}`)
  if (client !== account) assert.equal(requests.length, 0, `the account was asked: ${message}`)
  return `400 ${field}`
}
