require 'json'
require_relative 'lib/store'

# Doc.
module App
  VERSION = '1'
  # More.
  class Order < ApplicationRecord
    include Comparable
    extend Forwardable
    has_many :lines, dependent: :destroy
    validates :name, presence: true
    attr_reader :id, :name
    attr_accessor :size
    MAX = 10
    def initialize(id, name = nil, *rest, key:, opt: 1, **more, &block)
      raise ArgumentError, 'x' if id.nil?
      @id = id
    end
    def total = 1
    def <=>(other) ; end
    def name=(v); end
    def ok?; true; end
    def self.build(a) new(a) end
    class << self
      def other(b); end
    end
    protected
    def guarded; end
    private
    def hidden; end
    def also; end
    public
    def shown; end
    private def one; end
    def two; end
    private :two
    private_class_method :build
    alias_method :all, :total
    alias every total
    class Inner; end
    Point = Struct.new(:x, :y)
  end
  def self.go; end
  module_function
  def helper(a); end
end
def top(a); end
get '/x', to: 'a#b'
class Err < StandardError; end
