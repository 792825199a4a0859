import type { GenerateRequest } from '../../../../src/generate/request.ts'

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Everything of a request but what it shall answer and with which tools, while it is read. */
export type Options = Mutable<
  Omit<GenerateRequest, 'stream' | 'turns' | 'tools' | 'fields' | 'extras'>
>
