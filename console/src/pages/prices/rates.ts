/** The rates of a price, in the order of a form, by their words. */
export const rateNames = {
  input: 'Input',
  output: 'Output',
  cacheRead: 'Cached input',
  cacheWrite: 'Cache write',
  cacheWrite1h: 'Cache write, 1 h',
  inputAudio: 'Audio in',
  outputAudio: 'Audio out',
  inputImage: 'Image in',
  outputImage: 'Image out',
} as const

/** A class of tokens that has a rate. */
export type RateName = keyof typeof rateNames

/** The rates of a price; absent: none is known. */
export type Rates = { readonly [name in RateName]?: number | string | null }

/** The rates that a price has, as facts. */
export function knownRates(rates: Rates): readonly (readonly [string, number | string])[] {
  return (Object.keys(rateNames) as RateName[]).flatMap((name) => {
    const rate = rates[name]
    return rate === null || rate === undefined ? [] : [[rateNames[name], rate] as const]
  })
}
