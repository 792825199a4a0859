import { z } from 'zod'

import type { GatewayPlugin } from '../../src/dialect-kit/index.ts'
import { framedDialect, framings } from '../framing/framed.ts'

export const options = z.strictObject({ from: z.string(), to: z.string() })

/** Makes the dialect `framed` with the framings of these names, for its accounts and its clients. */
export default function plugin({ from, to }: z.infer<typeof options>): GatewayPlugin {
  const [ofAccount, ofClient] = [from, to].map(
    (name) => framings.find((framed) => framed.name === name)!.framing,
  )
  return framedDialect(ofAccount!, ofClient)
}
