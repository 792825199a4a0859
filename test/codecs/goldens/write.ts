import { writeFileSync } from 'node:fs'

import { readGoldens } from './golden.ts'

// `node test/codecs/goldens/write.ts`: writes what the codecs make of the cases. The difference is for review.
for (const { path, cases } of readGoldens()) {
  writeFileSync(path, `${cases.map((one) => one.render()).join('\n\n')}\n`)
}
