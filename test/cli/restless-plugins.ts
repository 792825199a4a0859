import { openPlace, type Place } from './dragoman.ts'

export const secret = 'secret-of-this-test'

/** A configuration with these plugins, as the text of a list, and further members. */
export async function placeWith(plugins: string, more = ''): Promise<Place> {
  const place = await openPlace()
  await place.write(
    'dragoman.config.mjs',
    `export default {
      keys: [{ id: 'team', secret: '${secret}' }],
      accounts: [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }],
      plugins: [${plugins}],
      ${more}
    }`,
  )
  return place
}
