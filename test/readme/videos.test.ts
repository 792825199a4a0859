import { expect, test } from 'vitest'

import { openCheckout, printed } from './checkout.ts'
import { blocks, shownAddress } from './readme.ts'

const snippets = [
  {
    mark: 'client.videos.create',
    from: 'openai',
    to: 'openai-7',
    file: 'cat.mp4',
    says: 'completed video/mp4 true',
  },
  {
    mark: 'client.models.generateVideos',
    from: '@google/genai',
    to: 'genai-2',
    file: 'dog.mp4',
    says: '/publishers/sandbox/models/sandbox/echo/operations/',
  },
]

test('a newcomer makes videos as the README shows', async () => {
  await using checkout = await openCheckout()
  const server = checkout.start('npm start')
  const [, url = ''] = await printed(server, /Listening on (http:\S+) \(API\)/)
  const [, key = ''] = await printed(server, /export DRAGOMAN_KEY=(\S+)/)
  for (const { mark, from, to, file, says } of snippets) {
    const code = blocks('ts').find((block) => block.includes(mark)) ?? ''
    const ours = code.replace(`from '${from}'`, `from '${to}'`).replaceAll(shownAddress, url)
    await checkout.write('video.ts', ours)
    const output = await checkout.run('node_modules/.bin/node video.ts', { DRAGOMAN_KEY: key })
    expect(output).toContain(says)
    expect(await checkout.run(`head -c 8 ${file}`)).toContain('ftyp')
  }
})
