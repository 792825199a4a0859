import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { type Place, openPlace } from './dragoman.ts'

export const secret = 'secret-of-this-test'

const account = { id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }

/** A configuration in JSON with these entries of `plugins`, and the files beside it. */
export async function placeWith(
  plugins: readonly unknown[],
  files: Readonly<Record<string, string>> = {},
): Promise<Place> {
  const place = await openPlace()
  const config = { keys: [{ id: 'team', secret }], accounts: [account], plugins }
  await place.write('dragoman.config.json', JSON.stringify(config))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(place.path, name)), { recursive: true })
    await place.write(name, content)
  }
  return place
}

/** Makes zod installed beside a configuration. */
export async function installZod({ path }: Place): Promise<void> {
  const installed = join(import.meta.dirname, '../../node_modules/zod')
  await mkdir(join(path, 'node_modules'), { recursive: true })
  await symlink(installed, join(path, 'node_modules/zod'))
}

/** A plugin that stamps replies, with its options checked by zod. */
export const stamp = `
import { definePlugin } from 'dragoman'
import { z } from 'zod'

export const options = z.strictObject({
  text: z.string().min(2),
  times: z.int().positive().default(1).meta({ description: 'how often the stamp is set' }),
  mode: z.enum(['loud', 'soft']).optional(),
  token: z.string().optional(),
  colour: z.string().optional().meta({ secret: false }),
})

let made = 0

export default function stamp({ text, times, token }: z.infer<typeof options>) {
  const count = ++made
  return definePlugin({
    name: 'stamp',
    async onExchange({ next }) {
      const reply = await next()
      const stamp = text.repeat(times)
      const headers = { ...reply.headers, 'x-stamp': stamp, 'x-made': String(count) }
      return { ...reply, headers: { ...headers, ...(token && { 'x-length': String(token.length) }) } }
    },
  })
}
`

/** The headers of an answer of a gateway with `secret`. */
export async function headersAt(clients: string): Promise<Headers> {
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(`${clients}/v1/models`, { headers })
  await response.body?.cancel()
  return response.headers
}
