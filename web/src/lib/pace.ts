/**
 * One event, one movement, in the order of the record: shows facts one at a time and the view after them.
 *
 * Knows no page and no game: what is shown, how long it takes and what stops it are asked of `Stage`.
 */

/** What the stream brought in one message: facts, then what holds after them. */
export interface Scene<F, N> {
  readonly facts: readonly F[];
  readonly end: N;
}

export interface Stage<F, N> {
  /** how long a fact would take, ms */
  takes(fact: F): number;
  /** show a fact beginning: its line, its movement */
  show(fact: F): void;
  /** after its movement: how long to stop for a person to look, ms (Infinity until released), or null */
  hold(): number | null;
  /** the stop is over: a person let it go on, or the time was up */
  resume(): void;
  /** a fact that nobody watches: its line only */
  skip(fact: F): void;
  /** everything in the message has been shown */
  end(end: N): void;
  /** whether movements would be seen at all */
  watched(): boolean;
}

/** Beyond so much to be seen, what waits is shown as its end state. */
const BURST = 5_000;

export class Pace<F, N> {
  #scenes: Scene<F, N>[] = [];
  #running = false;
  #hurried = false;
  #holding = false;
  #wake: (() => void) | null = null;
  #stopped = false;

  constructor(private readonly stage: Stage<F, N>) {}

  /** Something is being shown, or waits to be. */
  get busy(): boolean {
    return this.#running;
  }

  get holding(): boolean {
    return this.#holding;
  }

  add(scene: Scene<F, N>): void {
    this.#scenes.push(scene);
    if (!this.#running) void this.#run();
  }

  /** Finish what moves at once; what stops for a person to look still stops. */
  hurry(): void {
    if (!this.#running || this.#holding) return;
    this.#hurried = true;
    this.#wake?.();
  }

  /** Go on after a stop. */
  release(): void {
    if (this.#holding) this.#wake?.();
  }

  /** Show the end of all that waits, now and without stops. */
  flush(): void {
    const left = this.#scenes;
    this.#scenes = [];
    for (const scene of left) {
      scene.facts.forEach((fact) => this.stage.skip(fact));
      this.stage.end(scene.end);
    }
  }

  /** Nothing more is shown. */
  stop(): void {
    this.#stopped = true;
    this.#scenes = [];
    this.#wake?.();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#scenes.length && !this.#stopped) {
      if (this.#tooMuch()) {
        this.flush();
        break;
      }
      await this.#play(this.#scenes.shift()!);
    }
    this.#running = false;
    this.#hurried = false;
  }

  async #play(scene: Scene<F, N>): Promise<void> {
    for (const [k, fact] of scene.facts.entries()) {
      if (this.#stopped) return;
      if (!this.stage.watched()) {
        scene.facts.slice(k).forEach((rest) => this.stage.skip(rest));
        break;
      }
      const ms = this.stage.takes(fact);
      this.stage.show(fact);
      if (ms > 0 && !this.#hurried) await this.#wait(ms);
      const hold = this.#stopped ? null : this.stage.hold();
      if (hold !== null && hold > 0) {
        this.#holding = true;
        await this.#wait(hold);
        this.#holding = false;
        this.#hurried = false;
        if (!this.#stopped) this.stage.resume();
      }
    }
    if (!this.#stopped) this.stage.end(scene.end);
  }

  #tooMuch(): boolean {
    if (!this.stage.watched()) return true;
    // the first message is always played: there is no burst of one
    if (this.#scenes.length < 2) return false;
    let sum = 0;
    for (const scene of this.#scenes) for (const fact of scene.facts) sum += this.stage.takes(fact);
    return sum > BURST;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = ms === Infinity ? undefined : setTimeout(() => this.#wake?.(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        done();
      };
    });
  }
}
