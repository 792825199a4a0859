import type { Case } from './case.ts'
import { ends } from './ends.ts'
import { files } from './files.ts'
import { talking } from './talking.ts'
import { thinking } from './thinking.ts'
import { toolUse } from './tools.ts'

export type { Case } from './case.ts'

/** The rows of the matrix, in the order of its page. */
export const cases: readonly Case[] = [...talking, ...files, ...toolUse, ...thinking, ...ends]
