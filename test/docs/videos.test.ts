import { expect, test } from 'vitest'

import { firstKey, openCheckout, serving, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

const snippets = [
  {
    mark: 'client.videos.create',
    from: 'openai',
    to: 'openai-7',
    name: 'video.mjs',
    file: 'cat.mp4',
    says: 'completed video/mp4 true',
  },
  {
    mark: 'client.models.generateVideos',
    from: '@google/genai',
    to: 'genai-2',
    name: 'operation.mjs',
    file: 'dog.mp4',
    says: '/publishers/sandbox/models/sandbox/echo/operations/',
  },
]

test('a newcomer makes videos as the page shows', async () => {
  const page = openPage('docs/videos.md')
  const [start = '', ...runs] = page.blocks('sh')
  expect(runs).toHaveLength(snippets.length)
  await using checkout = await openCheckout(withoutAdmin)
  const server = checkout.start(start)
  const { clients } = await serving(server)
  const key = await firstKey(server)
  for (const [index, { mark, from, to, name, file, says }] of snippets.entries()) {
    const code = page.block('js', mark).replace(`from '${from}'`, `from '${to}'`)
    await checkout.write(name, addressed(code, { clients }))
    const output = await checkout.run(runs[index] ?? '', { DRAGOMAN_KEY: key })
    expect(output).toContain(says)
    expect(await checkout.run(`head -c 8 ${file}`)).toContain('ftyp')
  }
})
