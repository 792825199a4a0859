/** Works that run one after another, so that an earlier one cannot overwrite what a later one has done. */
export class Line {
  #last: Promise<unknown> = Promise.resolve()

  /**
   * A function that runs a work when those before have ended. Whoever asks while it has not begun gets the result
   * of the same run: a hundred signals make two runs.
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
