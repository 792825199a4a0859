/** What is compared: something on a port that passes chat completions on to the upstream. */

/** `former` is the gateway of another checkout, measured only where `--former` names one. */
export const subjectNames = ['dragoman', 'former', 'bare', 'nginx', 'portkey'] as const
export type SubjectName = (typeof subjectNames)[number]

export interface Subject {
  /** The command to run, kept on the subject's core. */
  command: string[]
  port: number
  env?: Record<string, string>
  /** Request headers only this subject needs. */
  headers?: Record<string, string>
}

/** Prepares a subject for an upstream, or says in one line why it can't take part here. */
export type PrepareSubject = (upstreamPort: number) => Promise<Subject | string>

/** The key the load presents; only a subject with auth looks at it. */
export const clientKey = 'sk-bench-2f6b1c0d9e8a7745c3b2a1908f7e6d5c'
