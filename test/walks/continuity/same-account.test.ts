import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { foreignWays } from './clients.ts'
import { historyIn } from './history.ts'
import { startPair } from './pair.ts'
import { model } from './stage.ts'

const signs = { chat: 0, messages: 2, responses: 2, generate: 2 }

describe.for(dailyRows(foreignWays, 2))(
  '$title, of which there are two',
  ({ client, account, stream }) => {
    test('what one account began it goes on with, while new work goes to the other', async () => {
      await using pair = await startPair(account, { first: 'a' })
      const { gateway } = pair
      const began = client.open({ gateway, model, stream })
      await began.ask('How is Bern?')
      pair.become({ first: 'b' })

      await client.open({ gateway, model, stream }).ask('How is Basel?')
      await began.answer(['result 0', 'result 1'])
      await began.answer(['result 2', 'result 3'])

      expect(pair.whoWasAsked()).toEqual(['a', 'b', 'a', 'a'])
      expect(historyIn(account, JSON.parse(pair.lastAsked())).signatures).toHaveLength(
        signs[account],
      )
    })
  },
)
