/** A signal tells its listeners that something outside of components has changed. */
export class Signal {
  readonly #target = new EventTarget();

  /** Calls a function after each change; returns a function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#target.addEventListener('change', listener);
    return () => this.#target.removeEventListener('change', listener);
  };

  emit(): void {
    this.#target.dispatchEvent(new Event('change'));
  }
}
