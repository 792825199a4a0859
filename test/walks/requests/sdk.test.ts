import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { clients } from '../continuity/clients.ts'
import { dialects, startStage } from '../continuity/stage.ts'
import { clock, instructing, masking, offering } from './changers.ts'

const ways = clients.flatMap((client) =>
  dialects.flatMap((account) => [false, true].map((stream) => ({ client, account, stream }))),
)

const plugins = [masking('4111-1111'), instructing('Answer in rhymes.'), offering(clock)]

describe.for(dailyRows(ways))(
  '$client.name with an official SDK on $account, stream: $stream',
  ({ client, account, stream }) => {
    test('the account gets the request that the plugins made of it', async () => {
      await using stage = await startStage(account, { plugins })
      const conversation = client.open({ gateway: stage.gateway, model: 'sandbox/echo', stream })

      await conversation.ask('My card is 4111-1111.')
      await conversation.ask('Charge 4111-1111 again.')

      const asked = stage.asked()
      expect(asked).toHaveLength(2)
      for (const { raw } of asked) {
        expect(raw).not.toContain('4111-1111')
        expect(raw).toContain('My card is [hidden].')
        expect(raw).toContain('Answer in rhymes.')
        expect(raw).toContain('read_clock')
      }
      expect(asked[1]?.raw).toContain('Charge [hidden] again.')
      const lines = await stage.gateway.logged(2)
      for (const line of lines) expect(line).toMatchObject({ status: 200 })
    })
  },
)
