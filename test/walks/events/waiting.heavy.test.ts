import { describe, expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import type { EventMapper } from '../../../src/generate/mapper.ts'
import { clients } from '../continuity/clients.ts'
import { dialects, startStage } from '../continuity/stage.ts'

/** Resolves in a later turn of the event loop. */
const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value))

/** Asks a service about each sentence before anybody reads it. */
function moderation(judge: (sentence: string) => Promise<string>): GatewayPlugin {
  return definePlugin({
    name: 'moderation',
    onEvents() {
      const held = new Map<number, string>()
      const pass = async (index: number, text: string, emit: Parameters<EventMapper['map']>[1]) => {
        if (text !== '') emit({ type: 'delta', index, text: await judge(text) })
      }
      return {
        waits: true,
        async map(event, emit) {
          if (event.type === 'delta') {
            const text = (held.get(event.index) ?? '') + event.text
            const end = text.lastIndexOf(' ') + 1
            held.set(event.index, text.slice(end))
            return pass(event.index, text.slice(0, end), emit)
          }
          if (event.type === 'end') {
            await pass(event.index, held.get(event.index) ?? '', emit)
            held.delete(event.index)
          }
          emit(event)
        },
      }
    },
  })
}

const ways = clients.flatMap((client) =>
  dialects.flatMap((account) => [false, true].map((stream) => ({ client, account, stream }))),
)

describe.for(ways)(
  '$client.name with an official SDK on $account, stream: $stream',
  ({ client, account, stream }) => {
    test('reads all that a plugin passes after it has waited, in order', async () => {
      const shouting = moderation((text) => later(text.toUpperCase()))
      await using stage = await startStage(account, { plugins: [shouting] })
      const conversation = client.open({ gateway: stage.gateway, model: 'sandbox/echo', stream })

      const { text } = await conversation.ask('one two three four five')

      expect(text).toContain('ONE TWO THREE FOUR FIVE')
      expect(await stage.gateway.logged(1)).toMatchObject([{ status: 200 }])
    })

    test('learns that a plugin refuses a sentence after it has waited', async () => {
      const refusing = moderation(async (text) => {
        await later(text)
        if (/three/i.test(text)) throw new GatewayError('plugin_rejected', 'Not this.')
        return text
      })
      await using stage = await startStage(account, { plugins: [refusing] })
      const conversation = client.open({ gateway: stage.gateway, model: 'sandbox/echo', stream })

      await expect(conversation.ask('one two three four five')).rejects.toThrow()

      expect(await stage.gateway.logged(1)).toMatchObject([{ error_type: 'plugin_rejected' }])
      expect(stage.gateway.log).toEqual([])
    })
  },
)
