/** Runs checks and reloads one after another, so that an earlier reload cannot overwrite a later one. */
export class Line {
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Returns a function that runs `work` once every earlier run of this line has ended. Calls before that run begins
   * share it and its result: a hundred signals make two runs.
   */
  add<Result>(work: () => Promise<Result>): () => Promise<Result> {
    let waiting: Promise<Result> | undefined
    const begin = () => {
      waiting = undefined
      return work()
    }
    return () => {
      if (waiting) return waiting
      const run = this.#last.then(begin)
      this.#last = run.catch(() => {})
      waiting = run
      return run
    }
  }
}
