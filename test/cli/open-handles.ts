import { openPlace, type Place } from './dragoman.ts'

/** A configuration whose code never lets go: a timer, an open server, and a plugin that never ends. */
export async function placeThatHolds(): Promise<Place> {
  const place = await openPlace()
  await place.write(
    'dragoman.config.mjs',
    `import { createServer } from 'node:net'
    setInterval(() => {}, 10)
    const holder = {
      name: 'holder',
      onDispose: () => new Promise(() => {}),
    }
    createServer().listen(0, '127.0.0.1')
    export default {
      keys: [{ id: 'team', secret: 'secret-of-this-test' }],
      accounts: [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }],
      plugins: [holder],
    }`,
  )
  return place
}
