import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { foreignWays } from './clients.ts'
import { historyIn, resultsByCall } from './history.ts'
import { model, startStage } from './stage.ts'

describe.for(dailyRows(foreignWays))(
  '$title, then on one of its own',
  ({ client, account, stream }) => {
    test('the own account takes over in the middle of a tool loop', async () => {
      await using stage = await startStage(account)
      const conversation = client.open({ gateway: stage.gateway, model, stream })

      await conversation.ask('How is Bern?')
      stage.serveBy(client.speaks)
      const second = await conversation.answer(['result 0', 'result 1'])
      expect(second.calls).toHaveLength(2)
      const third = await conversation.answer(['result 2', 'result 3'])
      expect(third.text).toMatch(/^The tool answered: /)

      const asked = stage.asked()
      expect(asked.map((one) => one.account)).toEqual([account, client.speaks, client.speaks])
      for (const { raw } of asked) expect(raw).not.toMatch(/gw1\.|Z3cxL/)
      const history = historyIn(client.speaks, asked[2]!.json)
      expect(resultsByCall(history)).toEqual(['result 0', 'result 1', 'result 2', 'result 3'])
      const lines = await stage.gateway.logged(3)
      expect(lines.map(({ status }) => status)).toEqual([200, 200, 200])
    })

    test('it takes over after the answer, and the other one may come back', async () => {
      await using stage = await startStage(account)
      const conversation = client.open({ gateway: stage.gateway, model, stream })

      await conversation.ask('How is Bern?')
      await conversation.answer(['result 0', 'result 1'])
      await conversation.answer(['result 2', 'result 3'])
      stage.serveBy(client.speaks)
      expect((await conversation.ask('And Basel?')).calls).toHaveLength(2)
      stage.serveBy(account)
      expect((await conversation.answer(['result 4', 'result 5'])).calls).toHaveLength(2)
      expect((await conversation.answer(['result 6', 'result 7'])).text).toMatch(/result 7/)

      const asked = stage.asked()
      for (const { raw } of asked) expect(raw).not.toMatch(/gw1\.|Z3cxL/)
      const results = resultsByCall(historyIn(account, asked.at(-1)!.json))
      expect(results).toEqual(Array.from({ length: 8 }, (_, index) => `result ${index}`))
    })
  },
)
