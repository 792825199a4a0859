import { describe, expect, test } from 'vitest'

import { accountOf, ask, connect, notContinued, notFound, refusal, ways } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { alias, clients, model, otherModel, preferB, startStage } from './stage.ts'

const hour = 60 * 60_000

describe.for(allGrounds())('on $name, a client', ({ sdk, open }) => {
  describe.for(ways)('that continues a response ($way)', ({ stream }) => {
    test('may name the model by an alias, and back', async () => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      const first = await ask(client, { model: alias }, { stream })
      stage.configure(preferB)

      const second = await ask(client, { previous_response_id: first.id }, { stream })
      const again = { model: alias, previous_response_id: second.id }
      const third = await ask(client, again, { stream })

      expect([first, second, third].map(accountOf)).toEqual(['a', 'a', 'a'])
    })

    test('is not known with another model', async () => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      const { id } = await ask(client, {}, { stream })
      const before = stage.sandbox.requests.length

      const asked = ask(client, { model: otherModel, previous_response_id: id }, { stream })

      expect(await refusal(sdk, asked)).toEqual(notFound(id))
      expect(stage.sandbox.requests).toHaveLength(before)
    })

    test('is not known with another key, and told as if there were no such response', async () => {
      await using stage = await startStage(open)
      const { id } = await ask(connect(stage, sdk), {}, { stream })
      const another = connect(stage, sdk, { apiKey: clients.another })
      const before = stage.sandbox.requests.length

      const continued = (previous: string) =>
        refusal(sdk, ask(another, { previous_response_id: previous }, { stream }))

      expect(await continued(id)).toEqual(notFound(id))
      expect(await continued('resp_of_nobody')).toEqual(notFound('resp_of_nobody'))
      expect(stage.sandbox.requests).toHaveLength(before)
    })

    test('may do so for an hour, however often it does', async () => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      const { id } = await ask(client, {}, { stream })
      const continued = () => ask(client, { previous_response_id: id }, { stream })

      stage.now += hour - 1
      expect(accountOf(await continued())).toBe('a')
      stage.now += 1

      expect(await refusal(sdk, continued())).toEqual(notFound(id))
    })
  })

  test.for([
    { status: 'incomplete', directive: 'finish=max_output_tokens' },
    { status: 'failed', directive: 'finish=failed' },
    { status: 'cancelled', directive: 'finish=cancelled' },
  ])('cannot continue a response that is $status, and reads why', async ({ status, directive }) => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const given = await ask(client, {}, { stream: false, headers: { 'x-sandbox': directive } })
    expect(given.status).toBe(status)

    const asked = ask(client, { model, previous_response_id: given.id })

    expect(await refusal(sdk, asked)).toEqual(notContinued(given.id))
  })
})
