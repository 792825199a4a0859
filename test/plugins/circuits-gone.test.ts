import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { circuitBreaker } from '../../plugins/circuit-breaker/index.ts'
import type { GatewayPlugin, OutcomeInput } from '../../src/contract/plugin.ts'
import { createLog } from '../../src/lib/log.ts'
import { collectLines } from '../../src/testing/lines.ts'
import { until } from '../../src/testing/until.ts'

type CandidatesInput = Parameters<NonNullable<GatewayPlugin['onCandidates']>>[0]

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('an account that the configuration no longer has takes its open circuit with it', async () => {
  const breaker = circuitBreaker({ log: createLog(collectLines().sink) })
  const inputOf = (id: string) => {
    const candidate = { account: { id }, dialect: { id: 'chat' }, upstreamModel: 'm' }
    const attempt = { number: 1, isSent: true }
    const call = { model: 'm', refersTo: [] }
    const exchange = { id: 'req_1', candidate, attempt, call, caller: { keyId: 'key' } }
    const outcome = { status: 'failed', fault: 'account', httpStatus: 500 }
    return { exchange, candidate, candidates: [candidate], attempt, outcome }
  }
  const isJudging = () =>
    breaker.onCandidates?.(inputOf('other') as unknown as CandidatesInput) !== undefined
  const fail = async () => {
    const input = inputOf('removed') as unknown as OutcomeInput
    for (let call = 0; call < 5; call++) await breaker.onOutcome?.(input)
  }

  await fail()
  expect(isJudging()).toBe(true)
  await until(() => {
    collectGarbage()
    return !isJudging()
  })
})
