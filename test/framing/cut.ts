import { describe, expect, test } from 'vitest'

import { forms } from '../walks/streams/forms.ts'
import { events, framings } from './framed.ts'
import { notBroken, stageOf } from './stage.ts'

const clients = forms.filter(({ name }) => name !== 'generate-array')

/** Streams that end at the chosen bytes before their end. */
export function describeCuts(isChosen: (length: number) => boolean): void {
  describe.each(framings)('an account that streams in $name', (framed) => {
    const whole = Buffer.concat(framed.write(events))

    describe.each(clients)('for a client of $name', (form) => {
      // Each byte has its turn with two of the four clients.
      const isTurn = (length: number) => (length + clients.indexOf(form)) % 2 === 0

      test('is no success where it ends at any byte before its end', async () => {
        const lengths = Array.from(
          { length: whole.length - framed.spare },
          (_, length) => length,
        ).filter((length) => isTurn(length) && isChosen(length))
        await using stage = await stageOf(framed, { calls: lengths.length })
        const wrong: string[] = []
        const cut = async (length: number) => {
          const served = await stage.serve(form, { writes: [whole.subarray(0, length)] })
          const reason = notBroken(form, served)
          if (reason) wrong.push(`${length}: ${reason}`)
        }
        while (lengths.length > 0) await Promise.all(lengths.splice(0, 16).map(cut))
        expect(wrong).toEqual([])
      })
    })
  })
}
