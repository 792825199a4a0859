import { expect, test } from 'vitest'

import { definePlugin } from '../../../../src/dialect-kit/index.ts'
import { loud, speak, stage } from '../speaking.ts'
import { strictAccount } from './strict-account.ts'

/** A guardrail that whispers, whatever dialect a reply is in. */
const whisper = definePlugin({
  name: 'whisper',
  onEvents: () => ({
    map: (event, emit) =>
      emit(event.type === 'delta' ? { ...event, text: event.text.toLowerCase() } : event),
  }),
})

test('a plugin changes the replies of a shout account for a client of the same dialect', async () => {
  await using scene = await stage([strictAccount], {}, { plugins: [whisper] })
  const whole = await speak(scene.gateway)
  expect(await whole.json()).toMatchObject({
    echo: 'hear me',
    end: 'done',
    tally: { heard: 3, said: 2 },
  })
  const streamed = await (await speak(scene.gateway, loud)).text()
  const words = [...streamed.matchAll(/"word":"(.*?)"/g)].map(([, word]) => word)
  expect(words).toEqual(['hear', ' me'])
  expect(streamed).toMatch(/event: hush\ndata: .*"tally":\{"heard":3,"said":2\}.*\n\n$/)
})
