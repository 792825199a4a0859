import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { clients } from '../continuity/clients.ts'
import { startStage } from '../continuity/stage.ts'
import { guardrail } from './guardrails.ts'

/** Refuses to go on once it has read a few words. */
function blocking() {
  let read = 0
  return guardrail((event, emit) => {
    const isTooMuch = event.type === 'delta' && ++read > 3
    emit(isTooMuch ? { type: 'error', message: 'Enough of this.', status: 422 } : event)
  })
}

const accounts = ['chat', 'messages', 'responses', 'generate'] as const
const ways = clients.flatMap((client) => accounts.map((account) => ({ client, account })))

describe.for(dailyRows(ways))(
  '$client.name with an official SDK on $account',
  ({ client, account }) => {
    test('learns in the middle of a stream that a guardrail ends it', async () => {
      await using stage = await startStage(account, { plugins: [blocking()] })
      const model = 'sandbox/words=40+pace=15'
      const conversation = client.open({ gateway: stage.gateway, model, stream: true })

      await expect(conversation.ask('Tell me everything.')).rejects.toThrow()

      const [line] = await stage.gateway.logged(1)
      expect(line).toMatchObject({
        level: 'info',
        stream: true,
        stream_end: 'broken',
        error_type: 'plugin_rejected',
      })
    })
  },
)
