import { SourceError } from '#kernel/http/source-error.ts';

/** The provider answered, and yet there is nothing in it that can be used. */
export class AnswerError extends SourceError {
  constructor(message: string) {
    super('body', message);
    this.name = 'AnswerError';
  }
}
