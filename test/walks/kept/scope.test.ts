import { describe, expect, test } from 'vitest'

import { ask, connect, notFound, refusal, ways } from '../chaining/asking.ts'
import { alias, clients, otherModel, preferB } from '../chaining/stage.ts'
import { keptGrounds, startKept } from './stage.ts'

const hour = 60 * 60_000

describe.concurrent.for(keptGrounds())('on $name, a client', ({ sdk, open, speaks }) => {
  describe.for(ways)('that continues a response ($way)', ({ stream }) => {
    test('may name the model by an alias, and back', async () => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const first = await ask(client, { model: alias }, { stream })
      stage.configure(preferB)

      const second = await ask(client, { previous_response_id: first.id }, { stream })
      const again = { model: alias, previous_response_id: second.id }
      const third = await ask(client, again, { stream })

      expect([first, second, third].map(({ output_text }) => output_text)).toEqual(['a', 'a', 'a'])
    })

    test('is not known with another model, or with another key', async () => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const { id } = await ask(client, {}, { stream })
      const another = connect(stage, sdk, { apiKey: clients.another })
      const from = { previous_response_id: id }

      const elsewhere = ask(client, { ...from, model: otherModel }, { stream })
      expect(await refusal(sdk, elsewhere)).toEqual(notFound(id))
      const stolen = ask(another, from, { stream })
      expect(await refusal(sdk, stolen)).toEqual(notFound(id))
      const unknown = ask(client, { previous_response_id: 'resp_of_nobody' }, { stream })
      expect(await refusal(sdk, unknown)).toEqual(notFound('resp_of_nobody'))
      expect(stage.sandbox.requests).toHaveLength(1)
    })

    test('may do so for an hour, which no reading extends and every response has anew', async () => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const { id } = await ask(client, {}, { stream })
      const continued = (previous_response_id: string) =>
        ask(client, { previous_response_id }, { stream })

      stage.now += hour - 1
      await client.responses.retrieve(id)
      const next = await continued(id)
      stage.now += 1

      expect(await refusal(sdk, continued(id))).toEqual(notFound(id))
      expect(await continued(next.id)).toMatchObject({ status: 'completed' })
    })

    test.for([{ id: '' }, { id: '  ' }, { id: 7 as unknown as string }])(
      'is told that %o is no id, and no account is asked',
      async ({ id }) => {
        await using stage = await startKept(speaks, open)

        const asked = ask(connect(stage, sdk), { previous_response_id: id }, { stream })

        expect(await refusal(sdk, asked)).toMatchObject({
          status: 400,
          body: {
            type: 'invalid_request_error',
            code: 'invalid_value',
            param: 'previous_response_id',
          },
        })
        expect(stage.sandbox.requests).toEqual([])
      },
    )

    test('is told that there is no response where nothing was to be stored', async () => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const first = await ask(client, { store: false }, { stream })
      expect(first).toMatchObject({ status: 'completed', store: false })

      const asked = ask(client, { previous_response_id: first.id }, { stream })

      expect(await refusal(sdk, asked)).toEqual(notFound(first.id))
      expect((await refusal(sdk, client.responses.retrieve(first.id))).status).toBe(404)
      expect(stage.sandbox.requests).toHaveLength(1)
    })
  })
})
